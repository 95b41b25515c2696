/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region or task is known by the place of its pragma. Nothing is written when a thread
 * passes it, but with the next event: which one the event belongs to, if that is another
 * one than before, and how often the thread has passed there in the meantime. The file is
 * made with the first of these, so that other programs have none.
 */

#include "collector/sources/openmp.h"

#include "collector/base/cpu.h"
#include "collector/base/memory.h"
#include "collector/base/text.h"
#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "collector/experiment/directory.h"
#include "collector/experiment/experiment.h"
#include "collector/files/blocks.h"
#include "collector/files/files.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/threads/openmp.h"
#include "collector/threads/openmp_user.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

static _Atomic int progress;
enum { NOT_MADE, MAKING, MADE, FAILED };

#define COUNT(fields) (sizeof(fields) / sizeof((fields)[0]))

static void describe(struct text *text)
{
	static const struct packet_field region[] = {
		{ "CPRID", "Parallel region", "UINT64",
		  offsetof(struct omp_enter_packet, id) },
	};
	static const struct packet_field task[] = {
		{ "TSKID", "Task", "UINT64", offsetof(struct omp_enter_packet, id) },
	};
	static const struct packet_field regions[] = {
		{ "CPRID", "Parallel region", "UINT64", offsetof(struct omp_packet, id) },
		{ "PPRID", "Outer parallel region", "UINT64",
		  offsetof(struct omp_packet, outer) },
		{ "PRPC", "Address of the pragma", "UINT64",
		  offsetof(struct omp_packet, pragma) },
		{ "OMPCOUNT", "Begun since the last one", "UINT64",
		  offsetof(struct omp_packet, count) },
	};
	static const struct packet_field tasks[] = {
		{ "TSKID", "Task", "UINT64", offsetof(struct omp_packet, id) },
		{ "PTSKID", "Outer task", "UINT64", offsetof(struct omp_packet, outer) },
		{ "PRPC", "Address of the pragma", "UINT64",
		  offsetof(struct omp_packet, pragma) },
		{ "OMPCOUNT", "Begun since the last one", "UINT64",
		  offsetof(struct omp_packet, count) },
	};

	text_add(text, "<profile name=\"omptrace\">\n");
	packet_describe_file(text, OMP_FILE);
	packet_describe(text, PACKET_OMP_REGION_ENTER, "OpenMP region entry",
			PACKET_EVENT, region, COUNT(region));
	packet_describe(text, PACKET_OMP_TASK_ENTER, "OpenMP task entry", PACKET_EVENT,
			task, COUNT(task));
	packet_describe(text, PACKET_OMP_REGION, "OpenMP region", PACKET_EVENT, regions,
			COUNT(regions));
	packet_describe(text, PACKET_OMP_TASK, "OpenMP task", PACKET_EVENT, tasks,
			COUNT(tasks));
	text_add(text, "</profile>\n");
}

/* ---- the file ---- */

static bool make_file(void)
{
	MEMORY_APART static char buffer[8192];
	struct text text = TEXT_ON(buffer);
	int rc = directory_add_file(&files.data[DATA_OPENMP], OMP_FILE);

	if (rc != 0) {
		log_message("cerror", EXPT_ERROR_FILE_OPEN, OMP_FILE, -rc);
		return false;
	}
	describe(&text);
	log_element(&text);
	return true;
}

/* The experiment is there. Another thread may be making the file: the next event will
 * do. */
static bool has_file(void)
{
	int expected = NOT_MADE;
	bool is_made;

	if (atomic_load(&progress) == MADE)
		return true;
	if (collector_is_frozen() ||
	    !atomic_compare_exchange_strong(&progress, &expected, MAKING))
		return false;
	is_made = make_file();
	atomic_store(&progress, is_made ? MADE : FAILED);
	return is_made;
}

/* ---- packets ---- */

static struct event_head head_of(pid_t tid, uint64_t now)
{
	return (struct event_head){
		.lwp = tid, .thread = tid, .cpu = cpu_current(), .time_ns = now
	};
}

static void put(struct thread *writer, enum packet_type type, const void *packet,
		size_t size)
{
	cursor_put(&writer->data[DATA_OPENMP], &files.data[DATA_OPENMP], (uint16_t)type,
		   packet, size);
}

static void put_description(struct thread *writer, pid_t tid, uint64_t now, bool is_task,
			    const struct openmp_site *site,
			    const struct openmp_site *outer, uint64_t count)
{
	struct omp_packet packet = {
		.head = head_of(tid, now),
		.id = openmp_pragma(site),
		.outer = outer ? openmp_pragma(outer) : 0,
		.pragma = openmp_pragma(site),
		.count = count,
	};

	put(writer, is_task ? PACKET_OMP_TASK : PACKET_OMP_REGION, &packet,
	    sizeof(packet));
}

static void put_entry(struct thread *thread, uint64_t now, enum packet_type type,
		      uint64_t id)
{
	struct omp_enter_packet packet = {
		.head = head_of(thread->tid, now),
		.id = id,
	};

	put(thread, type, &packet, sizeof(packet));
}

/* Other threads may count at the same time, if the process ends. */
static void put_counts(struct thread *writer, struct thread *thread, uint64_t now)
{
	struct openmp_counts *counts = atomic_load(&thread->openmp.counts);

	for (size_t i = 0; counts && i < counts->size; i++) {
		struct openmp_count *slot = &counts->slots[i];
		uint64_t caller = __atomic_load_n(&slot->site.caller, __ATOMIC_ACQUIRE);
		uint64_t count = __atomic_load_n(&slot->count, __ATOMIC_RELAXED);

		if (caller == 0 || count == slot->told)
			continue;
		put_description(writer, thread->tid, now, slot->is_task, &slot->site,
				&slot->outer, count - slot->told);
		slot->told = count;
	}
}

void openmp_record(struct thread *thread, uint64_t now)
{
	struct openmp *openmp = &thread->openmp;
	struct openmp_seen seen;
	uint64_t region, task;

	if (!openmp_look(thread, &seen) || !has_file())
		return;
	region = seen.region ? openmp_pragma(&seen.region->site) : 0;
	task = openmp_pragma(&seen.task);
	put_counts(thread, thread, now);
	if (region != openmp->told_region) {
		if (region != 0)
			put_description(thread, thread->tid, now, false,
					&seen.region->site, openmp_outer(seen.region), 0);
		put_entry(thread, now, PACKET_OMP_REGION_ENTER, region);
		openmp->told_region = region;
	}
	if (task != openmp->told_task) {
		if (task != 0)
			put_description(thread, thread->tid, now, true, &seen.task, NULL,
					0);
		put_entry(thread, now, PACKET_OMP_TASK_ENTER, task);
		openmp->told_task = task;
	}
}

/* ---- the end ---- */

static bool has_counts(const struct thread *thread)
{
	const struct openmp_counts *counts = atomic_load(&thread->openmp.counts);

	for (size_t i = 0; counts && i < counts->size; i++)
		if (counts->slots[i].count != counts->slots[i].told)
			return true;
	return false;
}

static void stop(struct thread *thread)
{
	uint64_t now = collector_now();

	if (has_counts(thread) && collector_is_recording() && !collector_is_frozen() &&
	    collector_takes_event_at(thread, now) && experiment_materialise() &&
	    has_file())
		put_counts(thread, thread, now);
}

static void close_openmp(void)
{
	struct thread *self = thread_self;

	for (struct thread *thread = thread_first(); self && thread;
	     thread = thread->next)
		if (has_counts(thread) && experiment_materialise() && has_file())
			put_counts(self, thread, collector_now());
}

static bool open_openmp(void)
{
	atomic_store(&progress, NOT_MADE);
	return !settings.without_openmp;
}

/* The parent's counts and stacks are in its experiment. */
static void forget(struct openmp *openmp)
{
	struct openmp_counts *counts = atomic_load(&openmp->counts);

	openmp->told_region = openmp->told_task = 0;
	for (size_t i = 0; counts && i < counts->size; i++)
		counts->slots[i].told = counts->slots[i].count;
	for (size_t i = 0; i < OPENMP_LEVELS; i++)
		atomic_store(&openmp->regions[i].listed, 0);
}

static void after_fork(void)
{
	atomic_store(&progress, NOT_MADE);
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		forget(&thread->openmp);
}

const struct data_source openmp_source = {
	.file = OMP_FILE,
	.kind = DATA_OPENMP,
	.is_late = true,
	.describe = describe,
	.open = open_openmp,
	.stop = stop,
	.close = close_openmp,
	.after_fork = after_fork,
};
