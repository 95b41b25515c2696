/* SPDX-License-Identifier: Apache-2.0 */
/* The course of a recording, from start to end. */
#include <inttypes.h>
#include <time.h>

#include "er_print/experiments/course.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/time.h"

static void print_time(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%09" PRIu64, ns / NS_PER_SECOND, ns % NS_PER_SECOND);
}

static const char *attribute(const struct expt_event *event, const char *name)
{
	const char *value = expt_event_attribute(event, name);

	return value ? value : "";
}

static void print_descendant(FILE *out, const struct expt_event *event, const char *verb)
{
	const char *variant = attribute(event, "variant"),
		   *lineage = attribute(event, "lineage");

	escape_printf(out, "%-8s %s ", verb, variant);
	print_time(out, event->time_ns);
	if (*lineage)
		escape_printf(out, ", exp %s.er", lineage);
	escape_printf(out, ", \"%s\"\n", attribute(event, "msg"));
}

static void print_pause(FILE *out, const struct expt_event *event, const char *word)
{
	const char *name = expt_event_attribute(event, "name");
	const char *thread = expt_event_attribute(event, "tid");

	if (thread)
		escape_printf(out, "Thread %s %s", thread, word);
	else
		fprintf(out, "%c%s", *word ^ 0x20, word + 1);
	if (name)
		escape_printf(out, " (%s)", name);
	fputs(": ", out);
	print_time(out, event->time_ns);
	fputc('\n', out);
}

static void print_event(FILE *out, const struct expt_event *event)
{
	switch (event->kind) {
	case EXPT_EVENT_DESC_START:
	case EXPT_EVENT_EXEC_START:
		print_descendant(out, event, "Starting");
		break;
	case EXPT_EVENT_DESC_STARTED:
		print_descendant(out, event, "Started");
		break;
	case EXPT_EVENT_EXEC_ERROR:
		print_descendant(out, event, "Failed");
		break;
	case EXPT_EVENT_PAUSE:
	case EXPT_EVENT_THREAD_PAUSE:
		print_pause(out, event, "pause");
		break;
	case EXPT_EVENT_RESUME:
	case EXPT_EVENT_THREAD_RESUME:
		print_pause(out, event, "resume");
		break;
	default:
		break;
	}
}

/* Returns the time during which recording was paused. */
static uint64_t paused_ns(const struct expt *expt, uint64_t end_ns)
{
	uint64_t paused = 0, since = 0;
	bool is_paused = false;

	for (size_t i = 0; i < expt_event_count(expt); i++) {
		const struct expt_event *event = expt_event(expt, i);

		if (event->kind == EXPT_EVENT_PAUSE && !is_paused) {
			is_paused = true;
			since = event->time_ns;
		} else if (event->kind == EXPT_EVENT_RESUME && is_paused) {
			is_paused = false;
			if (event->time_ns > since)
				paused += event->time_ns - since;
		}
	}
	if (is_paused && end_ns > since)
		paused += end_ns - since;
	return paused < end_ns ? paused : end_ns;
}

/* Returns the time of the last packet of a data file, or since if that is later.
 * Unreadable files are reported elsewhere. */
static uint64_t last_packet_ns(struct expt *expt, enum expt_data data, uint64_t since)
{
	struct expt_records *records;
	struct expt_record record;

	if (!expt_has_data(expt, data) ||
	    expt_records_open(&records, expt, data, NULL) < 0)
		return since;
	while (expt_records_next(records, &record, NULL) > 0)
		if (record.time_ns > since)
			since = record.time_ns;
	expt_records_close(records);
	return since;
}

/* The log of a killed process does not contain its end, and the last sample is up to a
 * period older than the last record. */
uint64_t course_end_ns(struct expt *expt)
{
	const struct expt_info *info = expt_info(expt);
	uint64_t end = info->end_ns;

	for (int data = 0; !info->is_closed && data < EXPT_DATA_COUNT; data++)
		end = last_packet_ns(expt, (enum expt_data)data, end);
	return end;
}

void course_print_start(FILE *out, const struct expt *expt)
{
	time_t started = (time_t)expt_info(expt)->started_at;
	struct tm when;
	char text[64] = "unknown";

	if (localtime_r(&started, &when))
		strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &when);
	fputs(text, out);
}

void course_print(FILE *out, struct expt *expt)
{
	uint64_t end = course_end_ns(expt);

	fputs("Experiment started ", out);
	course_print_start(out, expt);
	fputs("\n\n", out);
	for (size_t i = 0; i < expt_event_count(expt); i++)
		print_event(out, expt_event(expt, i));
	if (end == 0)
		return;
	fputs("Experiment Ended: ", out);
	print_time(out, end);
	fputs("\nData Collection Duration: ", out);
	print_time(out, end - paused_ns(expt, end));
	fputc('\n', out);
}
