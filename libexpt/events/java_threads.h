/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of a Java machine, and the times when they lived. */
#ifndef LIBEXPT_EVENTS_JAVA_THREADS_H
#define LIBEXPT_EVENTS_JAVA_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expt;

enum thread_kind {
	THREAD_OF_PROGRAM, /* or there is no Java machine */
	THREAD_UNKNOWN,	   /* to the Java machine, such as its compiler */
	THREAD_OF_MACHINE, /* of the group "system" */
};

struct java_threads {
	bool is_java; /* a Java machine was recorded */
	struct java_thread {
		uint64_t id, start_ns, end_ns;
		bool is_system;
	} * items; /* by id and start */
	size_t count, capacity;
};

/* Read the threads from the log. false: out of memory. */
bool java_threads_read(struct java_threads *threads, const struct expt *expt);
/* Returns the kind of the thread with this id at a time. */
enum thread_kind java_threads_find(const struct java_threads *threads, uint64_t id,
				   uint64_t time_ns);
void java_threads_release(struct java_threads *threads);

#endif
