/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler notes when a thread ran last, in the time of the processor that it ran
 * on. Such a time can only be compared with another one of the same processor, so this
 * thread goes there for a moment.
 */
#include "collector/inject/sleep.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/tracee/status.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/number.h"
#include "libexpt/base/time.h"

#define TEXT_SIZE	8192
#define PROCESSOR_FIELD 36 /* of stat, counted from the state on */

static bool read_file(char text[TEXT_SIZE], const char *path)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : io_read_full(fd, text, TEXT_SIZE - 1);

	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

/* Read "se.exec_start : MILLISECONDS.NANOSECONDS" into nanoseconds. */
static bool read_last_run(uint64_t *ns, const char *path)
{
	char text[TEXT_SIZE], *line, *value;
	uint64_t as_seconds;

	if (!read_file(text, path) || !(line = strstr(text, "se.exec_start")) ||
	    !(value = strchr(line, ':')))
		return false;
	value++;
	value += strspn(value, " ");
	value[strcspn(value, "\n")] = '\0';
	if (!number_seconds(&as_seconds, value))
		return false;
	*ns = as_seconds / 1000;
	return true;
}

/* Returns the processor on which the thread, which sleeps, has run; -1: it does not. */
static int processor_of_sleeper(const char *path)
{
	char text[TEXT_SIZE], *field;

	if (!read_file(text, path) || !(field = strrchr(text, ')')) || field[2] != 'S')
		return -1;
	for (int i = 0; i <= PROCESSOR_FIELD && field; i++)
		field = strchr(field + 1, ' ');
	return field ? (int)strtol(field, NULL, 10) : -1;
}

/* Returns for how long the processor's clock has run since that time of it. */
static bool ask_processor(uint64_t *ns, int processor, uint64_t then)
{
	cpu_set_t before, only;
	uint64_t now = 0;
	bool is_told;

	if (processor >= CPU_SETSIZE || sched_getaffinity(0, sizeof(before), &before) < 0)
		return false;
	CPU_ZERO(&only);
	CPU_SET(processor, &only);
	is_told = sched_setaffinity(0, sizeof(only), &only) == 0 &&
		  read_last_run(&now, "/proc/thread-self/sched");
	sched_setaffinity(0, sizeof(before), &before);
	*ns = now - then;
	return is_told && now >= then;
}

struct sleep sleep_ask(pid_t process, pid_t thread)
{
	struct process_status status;
	char sched[48], stat[48];
	uint64_t then, slept;
	int processor;

	snprintf(stat, sizeof(stat), "/proc/%d/task/%d/stat", (int)process, (int)thread);
	snprintf(sched, sizeof(sched), "/proc/%d/task/%d/sched", (int)process,
		 (int)thread);
	if (process_status_read(&status, thread) < 0)
		return (struct sleep){ 0 };
	processor = processor_of_sleeper(stat);
	/* 0: it was moved to another processor while it slept. */
	if (processor < 0 || !read_last_run(&then, sched) || then == 0 ||
	    !ask_processor(&slept, processor, then))
		return (struct sleep){ 0 };
	return (struct sleep){ time_now_ns() - slept, status.pauses };
}

uint64_t sleep_began(const struct sleep *sleep, pid_t thread)
{
	struct process_status status;

	/* The stop is one more. */
	if (sleep->began_ns && process_status_read(&status, thread) == 0 &&
	    status.pauses == sleep->pauses + 1)
		return sleep->began_ns;
	return time_now_ns();
}
