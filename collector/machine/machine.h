/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Java machine in this process. The part of libcollector.so that its agent uses, in
 * normal code of any thread. Nothing here allocates memory by malloc. Texts are in the
 * machine's modified UTF-8.
 */
#ifndef COLLECTOR_MACHINE_MACHINE_H
#define COLLECTOR_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "libexpt/format.h"

#pragma GCC visibility push(default)

/* Is this process recorded, so that the agent has something to do? */
bool machine_is_wanted(void);
/* Log which machine it is. */
void machine_describe(const char *version);
/* Call as the program: a warning for the log. */
void machine_warn(const char *text);

/* From now on ask the walker for the methods on the stack of the thread that an event
 * interrupts. It runs in a handler. It returns their number, at most limit, leaf first;
 * 0: the thread has none; or the negative code of a failure. for_calls is asked for calls
 * that are traced, in normal code. NULL: no longer. */
typedef int machine_walker(struct java_frame *frames, int limit,
			   const ucontext_t *context);
void machine_walk_by(machine_walker *walker, machine_walker *for_calls);

/* The calling thread can run Java code from now on. False: out of memory. */
bool machine_enter_thread(void);

/* Threads by name, logged with the time now. */
struct machine_thread {
	int tid;			   /* the kernel's */
	const char *name, *group, *parent; /* of the group; NULL: unknown */
	uint64_t object, environment;	   /* of the machine */
};
void machine_thread_starts(const struct machine_thread *thread);
void machine_thread_ends(const struct machine_thread *thread);

/* Returns how long a wait for a monitor is at least, to be recorded; UINT64_MAX: none
 * is. */
uint64_t machine_wait_threshold_ns(void);

/* Are allocations recorded? */
bool machine_wants_allocations(void);

/* Garbage collections. Other threads may be stopped. */
void machine_collection_starts(void);
void machine_collection_ends(void);

struct machine_method {
	uint64_t id;
	const char *name, *signature;
	const struct java_line *lines; /* by bytecode index; NULL: unknown */
	size_t line_count;
};

struct machine_class {
	bool is_from_start;   /* it may be older than the agent */
	const char *name;     /* "Lpkg/Name;" */
	const char *source;   /* NULL if unknown */
	const char *location; /* the file that it came from; NULL if unknown */
	const struct machine_method *methods;
	size_t count;
};
void machine_class(const struct machine_class *class);

/* Code at run time: of a method, with bytecode indexes by offset, or of the machine. */
struct machine_position {
	uint32_t offset, bci;
};
void machine_method_compiled(uint64_t method, const void *code, size_t size,
			     const struct machine_position *positions, size_t count);
void machine_code_made(const char *name, const void *code, size_t size);
void machine_code_gone(const void *code);

#pragma GCC visibility pop

#endif
