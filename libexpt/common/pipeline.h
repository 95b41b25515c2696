/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work on a stream in parallel, in order: one thread fills jobs, several work on them,
 * and the first thread takes them back in the order in which it submitted them. With one
 * thread, no others are created and pipeline_submit() does the work itself, so that runs
 * can be repeated exactly.
 *
 *	while ((job = pipeline_take_free(p))) { fill it; pipeline_submit(p); }
 *	while ((job = pipeline_take_done(p, true))) { use it; pipeline_recycle(p); }
 */
#ifndef LIBEXPT_COMMON_PIPELINE_H
#define LIBEXPT_COMMON_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

struct pipeline;

/* jobs: an array of job_count structs of job_size bytes, which the caller keeps. */
int pipeline_open(struct pipeline **out, unsigned threads, void *jobs, size_t job_count,
		  size_t job_size, void (*work)(void *job));
/* Wait for the jobs in work and drop the others. NULL is fine. */
void pipeline_close(struct pipeline *pipeline);

void *pipeline_take_free(struct pipeline *pipeline); /* NULL: all are in use */
void pipeline_submit(struct pipeline *pipeline);     /* the job taken last */
/* Returns the oldest job submitted; NULL: there is none or, unless wait, it is not
 * done. */
void *pipeline_take_done(struct pipeline *pipeline, bool wait);
void pipeline_recycle(struct pipeline *pipeline); /* the job taken back last */

/* Returns the threads an operation uses: wanted, or if 0 the number in ER_THREADS, or the
 * number of processors, at most 8. */
unsigned pipeline_threads(unsigned wanted);

#endif
