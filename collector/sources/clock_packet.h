/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of clock profiling, and the stacks of time without samples. */
#ifndef COLLECTOR_SOURCES_CLOCK_PACKET_H
#define COLLECTOR_SOURCES_CLOCK_PACKET_H

#include <stdint.h>
#include <sys/types.h>

struct stack_writer;
struct thread;

/* Write to the blocks of writer, which is the thread tid itself unless the process ends
 * or pauses. */
void clock_put_both(struct thread *writer, pid_t tid, uint64_t now, uint64_t stack,
		    uint64_t user_ns, uint64_t system_ns);
/* The same for a time with this share of user time; see cpu_mode.h. */
void clock_put_shared(struct thread *writer, pid_t tid, uint64_t now, uint64_t stack,
		      uint64_t user_share, uint64_t time_ns);
uint64_t clock_stack_other_threads(struct stack_writer *writer);
uint64_t clock_stack_not_sampled(struct stack_writer *writer,
				 const struct thread *thread);

#endif
