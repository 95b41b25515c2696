/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work on a stream in parallel, in order: jobs are filled by one thread, worked on by
 *several, and taken back by the first thread in the order in which it submitted them.
 *With one thread none is created and submitting works on the job at once, so that runs
 *can be repeated exactly.
 *
 *	while ((job = pipeline_take_free(p))) { fill it; pipeline_submit(p); }
 *	while ((job = pipeline_take_done(p, true))) { use it; pipeline_recycle(p); }
 */
#ifndef LIBEXPT_BASE_PIPELINE_H
#define LIBEXPT_BASE_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

struct pipeline;

/* jobs: an array of job_count structs of job_size bytes, which the caller keeps. */
int pipeline_open(struct pipeline **out, unsigned threads, void *jobs, size_t job_count,
		  size_t job_size, void (*work)(void *job));
/* Waits for the jobs that are being worked on; others are forgotten. NULL is fine. */
void pipeline_close(struct pipeline *pipeline);

void *pipeline_take_free(struct pipeline *pipeline); /* NULL: all are in use */
void pipeline_submit(struct pipeline *pipeline);     /* the job taken last */
/* The oldest job submitted; NULL: there is none or, unless wait, it is not done. */
void *pipeline_take_done(struct pipeline *pipeline, bool wait);
void pipeline_recycle(struct pipeline *pipeline); /* the job taken back last */

/* How many threads an operation uses: wanted, or if 0 the number in ER_THREADS, or as
 * many as there are processors, 8 at most. */
unsigned pipeline_threads(unsigned wanted);

#endif
