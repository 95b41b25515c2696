/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome of an operation for each file. Lines that cannot be stored still make the
 * report incomplete. */
#include "libexpt/common/report.h"

#include <dirent.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/arena.h"
#include "libexpt/base/array.h"

struct expt_report {
	pthread_mutex_t lock;
	struct arena strings;
	struct expt_report_line *items;
	size_t count, capacity;
	uint64_t files, bytes;
	bool is_incomplete;
};

struct expt_report *expt_report_new(void)
{
	struct expt_report *report = calloc(1, sizeof(*report));

	if (report)
		pthread_mutex_init(&report->lock, NULL);
	return report;
}

void expt_report_free(struct expt_report *report)
{
	if (!report)
		return;
	pthread_mutex_destroy(&report->lock);
	arena_release(&report->strings);
	free(report->items);
	free(report);
}

void expt_report_add(struct expt_report *report, enum expt_outcome outcome,
		     const char *name, const char *format, ...)
{
	struct expt_report_line *line;
	char reason[1024];
	va_list arguments;

	if (!report)
		return;
	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);

	pthread_mutex_lock(&report->lock);
	if (outcome >= EXPT_MISSING)
		report->is_incomplete = true;
	line = array_add(report);
	if (line) {
		line->outcome = outcome;
		line->name = arena_text(&report->strings, name, strlen(name));
		line->reason = arena_text(&report->strings, reason, strlen(reason));
		if (!line->name || !line->reason) {
			report->is_incomplete = true;
			report->count--;
		}
	} else {
		report->is_incomplete = true;
	}
	pthread_mutex_unlock(&report->lock);
}

void expt_report_count_file(struct expt_report *report, uint64_t bytes)
{
	if (!report)
		return;
	pthread_mutex_lock(&report->lock);
	report->files++;
	report->bytes += bytes;
	pthread_mutex_unlock(&report->lock);
}

size_t expt_report_count(const struct expt_report *report)
{
	return report->count;
}

const struct expt_report_line *expt_report_line(const struct expt_report *report,
						size_t i)
{
	return &report->items[i];
}

uint64_t expt_report_files(const struct expt_report *report)
{
	return report->files;
}

uint64_t expt_report_bytes(const struct expt_report *report)
{
	return report->bytes;
}

bool expt_report_is_complete(const struct expt_report *report)
{
	return !report->is_incomplete;
}
