/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same work on many items, by several threads. With one thread, no other is created,
 * so that a run's system calls can be counted and made to fail one by one.
 */
#ifndef LIBEXPT_COMMON_WORKERS_H
#define LIBEXPT_COMMON_WORKERS_H

#include <stddef.h>

#include "libexpt/expt.h"

#define WORKERS_MAX 8

/* Returns pipeline_threads(), but at most WORKERS_MAX. */
unsigned workers_count(unsigned wanted);

/* Returns how many of the threads are useful if an item is as small as one directory of a
 * few files. */
unsigned workers_for(unsigned threads, size_t items);

/* Work on one item. worker, less than the number of threads, selects the thread's own
 * memory. */
typedef int workers_function(void *context, unsigned worker, size_t item,
			     struct expt_error *err);

/* Call work once for each item, in order from 0, in whichever thread is free. After a
 * failure no new item is begun; the first failure is returned. The threads created block
 * all signals. */
int workers_run(unsigned threads, size_t items, workers_function *work, void *context,
		struct expt_error *err);

#endif
