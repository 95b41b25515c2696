/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Overflows of a kernel event in the thread that opened it. Each sends the thread
 * SIGNAL_OF_OVERFLOWS, or SIGNAL_QUIET under a debugger and where the event counts the
 * kernel's work too, and leaves a record, which the handler reads without a system call.
 */
#ifndef COLLECTOR_SIGNALS_OVERFLOW_H
#define COLLECTOR_SIGNALS_OVERFLOW_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/threads/thread.h"
#include "libexpt/format.h"

struct perf_event_attr;

struct overflow_record {
	uint64_t pc, address; /* 0: the kernel does not report it */
	uint64_t count;	      /* of events since the opening */
	uint64_t call;	      /* where the interrupted system call returns to; 0: none */
	uint64_t physical;    /* the address in memory; 0: it does not, either */
	bool is_exact;	      /* the processor itself has recorded the pc */
	bool has_registers;   /* false: it has not, or the kernel was running */
	uint64_t registers[COUNTER_REGISTERS];
};

/* Take the signals that the events of a thread will need. Call before a handler opens
 * one: it could not tell which signals the program blocks. */
bool overflow_prepare(void);
/* Call in the thread itself. event has the event and its period; the rest is filled in
 * here. has_access: records have the physical address and, if the event is precise, the
 * registers, as far as the kernel permits. Returns 0 or a negative errno. */
int overflow_open(struct overflow *overflow, const struct perf_event_attr *event,
		  bool has_access);
/* Call from any thread: waits until the handler is not in use. */
void overflow_close(struct overflow *overflow, const _Atomic bool *is_handling);
/* The same in the thread's own handler, which is in use. */
void overflow_close_in_handler(struct overflow *overflow);

/* Returns true if the signal seems to come from one of the collector's events. In the
 * handler, overflow_next() then takes the next record. */
bool overflow_is_signal(const siginfo_t *info);
bool overflow_next(struct overflow *overflow, struct overflow_record *record);
/* Returns true if a record that is still to be taken has this pc. */
bool overflow_comes_again(const struct overflow *overflow, uint64_t pc);

#endif
