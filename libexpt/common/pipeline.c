/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/common/pipeline.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "libexpt/base/number.h"

#define THREADS_DEFAULT_MAX 8
#define THREADS_MAX	    256

/* Jobs form a ring and are numbered consecutively: recycled <= taken <= submitted <=
 * recycled + job_count. */
struct pipeline {
	void (*work)(void *job);
	char *jobs;
	size_t job_count, job_size;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t submitted, started, recycled; /* numbers of the next job of each kind */
	bool *is_done;			       /* by place in the ring */
	bool is_closing;

	pthread_t *threads;
	unsigned thread_count;
};

static void *job_at(struct pipeline *pipeline, uint64_t number)
{
	return pipeline->jobs + number % pipeline->job_count * pipeline->job_size;
}

static void *worker(void *argument)
{
	struct pipeline *pipeline = argument;

	pthread_mutex_lock(&pipeline->lock);
	for (;;) {
		uint64_t number;

		while (pipeline->started == pipeline->submitted && !pipeline->is_closing)
			pthread_cond_wait(&pipeline->changed, &pipeline->lock);
		if (pipeline->is_closing)
			break;
		number = pipeline->started++;
		pthread_mutex_unlock(&pipeline->lock);
		pipeline->work(job_at(pipeline, number));
		pthread_mutex_lock(&pipeline->lock);
		pipeline->is_done[number % pipeline->job_count] = true;
		pthread_cond_broadcast(&pipeline->changed);
	}
	pthread_mutex_unlock(&pipeline->lock);
	return NULL;
}

/* Signals are left to the caller's own threads. Fewer threads than wanted are enough. */
static void start_threads(struct pipeline *pipeline, unsigned threads)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (pipeline->thread_count < threads &&
	       pthread_create(&pipeline->threads[pipeline->thread_count], NULL, worker,
			      pipeline) == 0)
		pipeline->thread_count++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int pipeline_open(struct pipeline **out, unsigned threads, void *jobs, size_t job_count,
		  size_t job_size, void (*work)(void *job))
{
	struct pipeline *pipeline = calloc(1, sizeof(*pipeline));

	if (!pipeline)
		return -ENOMEM;
	pipeline->work = work;
	pipeline->jobs = jobs;
	pipeline->job_count = job_count;
	pipeline->job_size = job_size;
	pthread_mutex_init(&pipeline->lock, NULL);
	pthread_cond_init(&pipeline->changed, NULL);
	pipeline->is_done = calloc(job_count, sizeof(*pipeline->is_done));
	pipeline->threads = calloc(threads, sizeof(*pipeline->threads));
	if (!pipeline->is_done || !pipeline->threads) {
		pipeline_close(pipeline);
		return -ENOMEM;
	}
	if (threads > 1)
		start_threads(pipeline, threads);
	*out = pipeline;
	return 0;
}

void pipeline_close(struct pipeline *pipeline)
{
	if (!pipeline)
		return;
	pthread_mutex_lock(&pipeline->lock);
	pipeline->is_closing = true;
	pthread_cond_broadcast(&pipeline->changed);
	pthread_mutex_unlock(&pipeline->lock);
	for (unsigned i = 0; i < pipeline->thread_count; i++)
		pthread_join(pipeline->threads[i], NULL);
	pthread_cond_destroy(&pipeline->changed);
	pthread_mutex_destroy(&pipeline->lock);
	free(pipeline->threads);
	free(pipeline->is_done);
	free(pipeline);
}

/* Only the caller's thread changes submitted and recycled, so it may read them
 * unlocked. */
void *pipeline_take_free(struct pipeline *pipeline)
{
	if (pipeline->submitted - pipeline->recycled == pipeline->job_count)
		return NULL;
	return job_at(pipeline, pipeline->submitted);
}

void pipeline_submit(struct pipeline *pipeline)
{
	size_t place = pipeline->submitted % pipeline->job_count;

	if (pipeline->thread_count == 0) {
		pipeline->work(job_at(pipeline, pipeline->submitted++));
		pipeline->is_done[place] = true;
		return;
	}
	pthread_mutex_lock(&pipeline->lock);
	pipeline->is_done[place] = false;
	pipeline->submitted++;
	pthread_cond_broadcast(&pipeline->changed);
	pthread_mutex_unlock(&pipeline->lock);
}

void *pipeline_take_done(struct pipeline *pipeline, bool wait)
{
	size_t place = pipeline->recycled % pipeline->job_count;
	bool is_done;

	if (pipeline->recycled == pipeline->submitted)
		return NULL;
	pthread_mutex_lock(&pipeline->lock);
	while (wait && !pipeline->is_done[place])
		pthread_cond_wait(&pipeline->changed, &pipeline->lock);
	is_done = pipeline->is_done[place];
	pthread_mutex_unlock(&pipeline->lock);
	return is_done ? job_at(pipeline, pipeline->recycled) : NULL;
}

void pipeline_recycle(struct pipeline *pipeline)
{
	pipeline->recycled++;
}

unsigned pipeline_threads(unsigned wanted)
{
	const char *text = getenv("ER_THREADS");
	uint64_t number;
	cpu_set_t allowed;

	if (wanted > 0)
		return wanted < THREADS_MAX ? wanted : THREADS_MAX;
	if (text && number_u64(&number, text) && number > 0)
		return number < THREADS_MAX ? (unsigned)number : THREADS_MAX;
	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return 1;
	number = (uint64_t)CPU_COUNT(&allowed);
	return number < THREADS_DEFAULT_MAX ? (unsigned)number : THREADS_DEFAULT_MAX;
}
