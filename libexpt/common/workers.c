/* SPDX-License-Identifier: Apache-2.0 */
/* Threads live for one workers_run(); the caller's thread is one of them. */
#include "libexpt/common/workers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "libexpt/common/pipeline.h"

#define SMALL_ITEMS_MIN 64 /* so many take as long as starting a thread */

struct crew {
	workers_function *work;
	void *context;
	size_t items;
	atomic_size_t next;
	atomic_bool has_failed;
	pthread_mutex_t lock; /* protects error and result */
	struct expt_error error;
	int result;
};

struct worker {
	struct crew *crew;
	unsigned number;
	pthread_t thread;
};

unsigned workers_count(unsigned wanted)
{
	unsigned number = pipeline_threads(wanted);

	return number > WORKERS_MAX ? WORKERS_MAX : number;
}

unsigned workers_for(unsigned threads, size_t items)
{
	size_t useful = items / SMALL_ITEMS_MIN + 1;

	return useful < threads ? (unsigned)useful : threads;
}

static void remember_failure(struct crew *crew, int result, const struct expt_error *err)
{
	pthread_mutex_lock(&crew->lock);
	if (crew->result == 0) {
		crew->result = result;
		crew->error = *err;
	}
	pthread_mutex_unlock(&crew->lock);
	atomic_store(&crew->has_failed, true);
}

static void *run_worker(void *argument)
{
	struct worker *worker = argument;
	struct crew *crew = worker->crew;

	while (!atomic_load(&crew->has_failed)) {
		size_t item = atomic_fetch_add(&crew->next, 1);
		struct expt_error err = { 0 };
		int rc;

		if (item >= crew->items)
			break;
		rc = crew->work(crew->context, worker->number, item, &err);
		if (rc < 0)
			remember_failure(crew, rc, &err);
	}
	return NULL;
}

/* Start the other threads. If one cannot be created, the run is only slower. */
static unsigned start_workers(struct worker *workers, unsigned threads)
{
	sigset_t all, before;
	unsigned started = 1;

	if (threads <= 1)
		return 1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (started < threads && pthread_create(&workers[started].thread, NULL,
						   run_worker, &workers[started]) == 0)
		started++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

int workers_run(unsigned threads, size_t items, workers_function *work, void *context,
		struct expt_error *err)
{
	struct crew crew = {
		.work = work,
		.context = context,
		.items = items,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	struct worker workers[WORKERS_MAX];
	unsigned started;

	if (threads > WORKERS_MAX)
		threads = WORKERS_MAX;
	if (threads > items)
		threads = (unsigned)items;
	for (unsigned i = 0; i < WORKERS_MAX; i++)
		workers[i] = (struct worker){ .crew = &crew, .number = i };
	started = start_workers(workers, threads);
	run_worker(&workers[0]);
	while (started > 1)
		pthread_join(workers[--started].thread, NULL);
	if (crew.result < 0 && err)
		*err = crew.error;
	return crew.result;
}
