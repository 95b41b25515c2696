/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of the run-time of the thread sanitizer for debuggers, with what is asked
 * of it. */
#ifndef COLLECTOR_RACE_TSAN_H
#define COLLECTOR_RACE_TSAN_H

#include <stdint.h>

#define TSAN_DEPTH 64

typedef int tsan_get_data(void *report, const char **description, int *count,
			  int *stack_count, int *access_count, int *location_count,
			  int *mutex_count, int *thread_count, int *unique_thread_count,
			  void **sleep_trace, unsigned long trace_size);
typedef int tsan_get_stack(void *report, unsigned long i, void **trace,
			   unsigned long trace_size);
typedef int tsan_get_access(void *report, unsigned long i, int *thread, void **address,
			    int *size, int *is_write, int *is_atomic, void **trace,
			    unsigned long trace_size);
typedef int tsan_get_mutex(void *report, unsigned long i, uint64_t *id, void **address,
			   int *is_destroyed, void **trace, unsigned long trace_size);
typedef int tsan_get_thread(void *report, unsigned long i, int *thread,
			    uint64_t *system_id, int *is_running, const char **name,
			    int *parent, void **trace, unsigned long trace_size);
typedef int tsan_get_unique_thread(void *report, unsigned long i, int *thread);

struct tsan {
	tsan_get_data *get_data;
	tsan_get_stack *get_stack;
	tsan_get_access *get_access;
	tsan_get_mutex *get_mutex;
	tsan_get_thread *get_thread;
	tsan_get_unique_thread *get_unique_thread;
};

#endif
