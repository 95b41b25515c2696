/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of functions in another process, by a thread that is stopped at a safe place. All
 * return 0 or a negative errno.
 */
#ifndef COLLECTOR_INJECT_CALL_H
#define COLLECTOR_INJECT_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>
#include <time.h>

#define CALL_STATE_SIZE 16384 /* of the extended state: vectors, tiles */

struct call {
	pid_t thread;
	int memory;
	struct user_regs_struct registers;
	uint64_t mask; /* of signals */
	uint64_t rseq, rseq_section;
	size_t state_size;
	unsigned char state[CALL_STATE_SIZE];
	uint64_t top; /* of the stack below which calls are made */
	uint64_t asleep_since;
	uint64_t spare;	  /* memory for a struct timespec, 0: there is none */
	uint64_t pending; /* signals, when the thread was stopped */
	bool has_limit;	  /* of the time that the thread sleeps */
	struct timespec limit;
	bool may_trap;	 /* the program does not ignore SIGTRAP */
	uint64_t kept;	 /* signals that the thread gets afterwards, as bits */
	bool has_caught; /* a fault, which was at the address below */
	uint64_t fault_pc;
};

/* Keep the state of the thread, and block its signals. memory: see maps.h; asleep_since:
 * when a thread that sleeps in a system call has begun to. */
int call_begin(struct call *call, pid_t thread, int memory, uint64_t asleep_since);
/* Put bytes on the stack of the thread, for arguments: their address, or 0. */
uint64_t call_push(struct call *call, const void *bytes, size_t size);
/* Call the function. -EFAULT: it has raised a signal; -EINTR: an interrupt of ours has
 * come and it does not return, so the thread leaves it. */
int call_function(struct call *call, uint64_t function, uint64_t first, uint64_t second,
		  uint64_t *result);
/* Returns true if a signal has come since the beginning that the thread will get at the
 * end, and that may interrupt its system call. */
bool call_has_new_signal(const struct call *call);
/* Bring the thread back to what it was before, and let it go. */
int call_end(struct call *call);

#endif
