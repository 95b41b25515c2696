/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sampler/usage.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* To ask takes about 10 us: a fifth of a second with as many is a 256th of it. */
#define QUESTIONS 80

void usage_release(struct usage *usage)
{
	free(usage->threads);
}

/* ---- real time ---- */

uint64_t usage_real_ns(const struct usage *usage, uint64_t now_ns)
{
	uint64_t since = now_ns > usage->counted_ns ? now_ns - usage->counted_ns : 0;

	return usage->lived_ns + usage->thread_count * since;
}

void usage_set_threads(struct usage *usage, unsigned count, uint64_t now_ns)
{
	usage->lived_ns = usage_real_ns(usage, now_ns);
	if (now_ns > usage->counted_ns)
		usage->counted_ns = now_ns;
	usage->thread_count = count;
}

/* ---- time waiting for a processor ---- */

/* The kernel lists threads in the order in which they began, as they are here. */
static struct usage_thread *find_thread(struct usage *usage, pid_t tid)
{
	for (size_t i = 0; i < usage->count; i++) {
		size_t at = (usage->found + 1 + i) % usage->count;

		if (usage->threads[at].tid == tid) {
			usage->found = at;
			return &usage->threads[at];
		}
	}
	return NULL;
}

static struct usage_thread *add_thread(struct usage *usage, pid_t tid)
{
	if (usage->count == usage->room) {
		size_t room = 2 * usage->room + 8;
		struct usage_thread *threads =
			realloc(usage->threads, room * sizeof(*threads));

		if (!threads)
			return NULL;
		usage->threads = threads;
		usage->room = room;
	}
	usage->threads[usage->count] = (struct usage_thread){ .tid = tid };
	return &usage->threads[usage->count++];
}

/* A figure that is less than before is of a new thread with the number of another. */
static void look_at_thread(struct usage *usage, pid_t pid, pid_t tid, bool is_asked)
{
	struct usage_thread *thread = find_thread(usage, tid);
	uint64_t wait_ns;

	if (!thread)
		thread = add_thread(usage, tid);
	if (!thread)
		return;
	thread->look = usage->looks;
	if (!is_asked || !status_wait_cpu(&wait_ns, pid, tid))
		return;
	if (wait_ns < thread->wait_ns)
		usage->ended_wait_ns += thread->wait_ns;
	thread->wait_ns = wait_ns;
}

static void drop_ended(struct usage *usage)
{
	size_t kept = 0;

	for (size_t i = 0; i < usage->count; i++) {
		if (usage->threads[i].look == usage->looks)
			usage->threads[kept++] = usage->threads[i];
		else
			usage->ended_wait_ns += usage->threads[i].wait_ns;
	}
	usage->count = kept;
}

/* Threads of many take turns. */
static void look_at_threads(struct usage *usage, pid_t pid)
{
	unsigned groups = (unsigned)(usage->count / QUESTIONS) + 1;
	char path[64];
	DIR *directory;
	struct dirent *entry;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	directory = opendir(path);
	if (!directory)
		return;
	usage->looks++;
	while ((entry = readdir(directory)) != NULL) {
		unsigned tid = (unsigned)strtoul(entry->d_name, NULL, 10);

		if (tid != 0)
			look_at_thread(usage, pid, (pid_t)tid,
				       (tid + usage->looks) % groups == 0);
	}
	closedir(directory);
	drop_ended(usage);
}

uint64_t usage_wait_cpu_ns(const struct usage *usage)
{
	uint64_t sum = usage->ended_wait_ns;

	for (size_t i = 0; i < usage->count; i++)
		sum += usage->threads[i].wait_ns;
	return sum;
}

/* ---- both ---- */

void usage_look(struct usage *usage, pid_t pid)
{
	status_read(&usage->status, pid);
	look_at_threads(usage, pid);
}
