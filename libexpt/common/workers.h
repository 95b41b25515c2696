/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same work on many items, by several threads. With one thread none is created, so
 * that a run's system calls can be counted and made to fail one by one.
 */
#ifndef LIBEXPT_COMMON_WORKERS_H
#define LIBEXPT_COMMON_WORKERS_H

#include <stddef.h>

#include "libexpt/expt.h"

#define WORKERS_MAX 8

/* pipeline_threads(), but never more than WORKERS_MAX. */
unsigned workers_count(unsigned wanted);

/* Of the threads, how many have a use where an item is as little as one small directory.
 */
unsigned workers_for(unsigned threads, size_t items);

/* Work on one item. worker, below the number of threads, is for memory of the thread's
 * own. */
typedef int workers_function(void *context, unsigned worker, size_t item,
			     struct expt_error *err);

/* Call work once for each item from 0, in that order by whoever is free. After a failure
 * no new item is begun; the first failure is returned. The threads take no signals. */
int workers_run(unsigned threads, size_t items, workers_function *work, void *context,
		struct expt_error *err);

#endif
