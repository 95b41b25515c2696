/* SPDX-License-Identifier: Apache-2.0 */
/* The call stack of a stopped thread of another process, as far as it matters which part
 * of the C library is at work. */
#ifndef COLLECTOR_INJECT_STACK_H
#define COLLECTOR_INJECT_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FRAMES_MAX 256

struct frame {
	uint64_t pc;
	bool is_interrupted; /* by a signal, or because the thread is stopped */
	bool is_delicate;    /* libc, the loader, the vdso or the collector */
	bool is_collector;
	bool is_loader;
	bool is_start;	/* what calls main */
	bool is_locked; /* a function that another thread may have to wait for */
};

struct stack {
	struct frame frames[FRAMES_MAX]; /* the innermost first */
	size_t count;
};

struct stack_reader;

/* Load libdw. Prints an error and returns a status. */
int stack_load(void);
/* Read the tables of all libraries of the process, which may take a while: it runs on.
 * NULL if that is not possible. */
struct stack_reader *stack_reader_open(pid_t process);
void stack_reader_close(struct stack_reader *reader);
/* The thread must be stopped by ptrace. */
void stack_read(struct stack *stack, struct stack_reader *reader, pid_t thread);

#endif
