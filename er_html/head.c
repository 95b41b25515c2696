/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/head.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libexpt/base/array.h"
#include "libexpt/cli/write.h"

/* ---- what there is ---- */

static bool find_metrics(struct head *head)
{
	size_t count = expt_metric_count(head->view);

	head->metrics = calloc(count + 1, sizeof(*head->metrics));
	for (size_t i = 0; i < count && head->metrics; i++) {
		const struct expt_metric *metric = expt_metric(head->view, i);
		struct head_metric *added = &head->metrics[head->metric_count];

		if (!metric->is_offered)
			continue;
		if (asprintf(&added->column, "value.%s", metric->name) < 0)
			return false;
		added->number = i;
		head->metric_count++;
	}
	return head->metrics;
}

static bool find_objects(struct head *head)
{
	if (!array_add(&head->objects))
		return false;
	for (size_t i = 0; i < head->tables->function_count; i++) {
		const struct expt_row *row = expt_row(head->tables->functions, i);
		uint32_t *slot =
			row->object ? idmap_add(&head->by_object, (uintptr_t)row->object)
				    : NULL;
		const struct expt_object **added;

		if (!row->object)
			continue;
		if (!slot)
			return false;
		if (*slot != IDMAP_NONE)
			continue;
		*slot = (uint32_t)head->objects.count;
		added = array_add(&head->objects);
		if (!added)
			return false;
		*added = row->object;
	}
	return true;
}

int head_open(struct head *head, struct expt_error *err)
{
	int rc = find_metrics(head) ? expt_tables_make(&head->tables, head->view,
						       EXPT_METRIC_EVERY, err)
				    : -ENOMEM;

	if (rc == 0 && !find_objects(head))
		rc = -ENOMEM;
	return rc;
}

void head_close(struct head *head)
{
	for (size_t i = 0; i < head->metric_count; i++)
		free(head->metrics[i].column);
	free(head->metrics);
	array_release(&head->objects);
	idmap_release(&head->by_object);
	expt_tables_free(head->tables);
}

uint32_t head_object(const struct head *head, const struct expt_row *function)
{
	return function->object
		       ? idmap_find(&head->by_object, (uintptr_t)function->object)
		       : 0;
}

const char *head_column(const struct head *head, size_t metric)
{
	for (size_t i = 0; i < head->metric_count; i++)
		if (head->metrics[i].number == metric)
			return head->metrics[i].column;
	return "";
}

/* ---- the same as text ---- */

static void put_field(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\":", name);
	write_json_text(out, text ? text : "");
}

static const char *name_of(const struct expt_row *row)
{
	if (row->function && !row->name)
		return expt_function_name(row->function, EXPT_NAME_LONG);
	return row->name ? row->name : "<Unknown>";
}

/* Return the word of the page for traced calls; "" for other data. */
static const char *kind_of(const struct expt_metric *metric)
{
	switch (metric->data) {
	case EXPT_HEAP:
		return "heap";
	case EXPT_SYNC:
		return "sync";
	case EXPT_IO:
		return "io";
	default:
		return "";
	}
}

static void write_metrics(const struct head *head, FILE *out)
{
	fputs("\"metrics\":[", out);
	for (size_t i = 0; i < head->metric_count; i++) {
		const struct expt_metric *metric =
			expt_metric(head->view, head->metrics[i].number);

		fputs(i == 0 ? "{" : ",{", out);
		put_field(out, "name", metric->name);
		putc(',', out);
		put_field(out, "title", metric->title);
		fprintf(out, ",\"unit\":\"%s\",\"data\":\"%s\"}",
			metric->unit == EXPT_UNIT_TIME ? "time" : "count",
			kind_of(metric));
	}
	putc(']', out);
}

/* Kinds of data, by the metrics that their events count for. */
static void write_kinds(const struct head *head, FILE *out)
{
	const struct times *times = head->times;

	fprintf(out, "\"timeUnit\":%" PRIu64 ",\"kinds\":[", times->width_ns);
	for (size_t k = 0; k < times->kind_count; k++) {
		const struct expt_table_kind *kind = times->kinds[k].cells.kind;

		fputs(k == 0 ? "[" : ",[", out);
		for (size_t i = 0; i < kind->metric_count; i++) {
			if (i > 0)
				putc(',', out);
			write_json_text(out,
					expt_metric(head->view, kind->metrics[i])->name);
		}
		putc(']', out);
	}
	putc(']', out);
}

static void write_names(const struct head *head, FILE *out)
{
	fputs("\"functions\":[", out);
	for (size_t i = 0; i < head->tables->function_count; i++) {
		if (i > 0)
			putc(',', out);
		write_json_text(out, name_of(expt_row(head->tables->functions, i)));
	}
	fputs("],\"objects\":[\"\"", out);
	for (size_t i = 1; i < head->objects.count; i++) {
		putc(',', out);
		write_json_text(out, expt_object_name(head->objects.items[i]));
	}
	putc(']', out);
}

/* "2026-11-30 12:00:00 +0000" */
static void put_start(FILE *out, const struct expt_info *info)
{
	const time_t seconds = info->started_at;
	struct tm date;
	char text[64] = "";

	if (seconds != 0 && localtime_r(&seconds, &date))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &date);
	put_field(out, "started", text);
}

/* An event has its message as text, or a number that stands for one. */
static void put_warnings(FILE *out, const struct expt *expt)
{
	const char *separator = "";

	fputs("\"warnings\":[", out);
	for (size_t i = 0; i < expt_event_count(expt); i++) {
		const struct expt_event *event = expt_event(expt, i);
		const char *text = *event->text ? event->text
						: expt_message_text(event->id);

		if (event->kind != EXPT_EVENT_WARNING && event->kind != EXPT_EVENT_ERROR)
			continue;
		fputs(separator, out);
		write_json_text(out, text ? text : event->name);
		separator = ",";
	}
	putc(']', out);
}

/* Returns how long after its founder a descendant began. */
static uint64_t later_ns(const struct expt_view *view, size_t i)
{
	size_t founder = expt_view_founder(view, i);
	uint64_t start = expt_info(expt_view_expt(view, i))->start_ns;
	uint64_t first = expt_info(expt_view_expt(view, founder))->start_ns;

	return start > first ? start - first : 0;
}

static void write_experiment(const struct head *head, FILE *out, size_t i)
{
	const struct expt *expt = expt_view_expt(head->view, i);
	const struct expt_info *info = expt_info(expt);
	size_t founder = expt_view_founder(head->view, i);

	putc('{', out);
	put_field(out, "name", expt_view_name(head->view, i));
	fputs(",\"parent\":", out);
	if (founder == i)
		fputs("null,", out);
	else
		fprintf(out, "%zu,", founder);
	put_field(out, "command", info->command);
	putc(',', out);
	put_field(out, "host", info->host);
	putc(',', out);
	put_field(out, "system", info->os);
	putc(',', out);
	put_start(out, info);
	fprintf(out, ",\"start\":%" PRIu64, later_ns(head->view, i));
	fprintf(out, ",\"pid\":%" PRId64 ",\"end\":%" PRIu64 ",", info->pid,
		info->end_ns);
	put_field(out, "notes", expt_notes(expt));
	putc(',', out);
	put_warnings(out, expt);
	putc('}', out);
}

static void write_experiments(const struct head *head, FILE *out)
{
	fputs("\"experiments\":[", out);
	for (size_t i = 0; i < expt_view_count(head->view); i++) {
		if (i > 0)
			putc(',', out);
		write_experiment(head, out, i);
	}
	fputs("],\"threads\":[", out);
	for (size_t i = 0; i < head->tables->thread_count; i++) {
		const struct expt_table_thread *thread = &head->tables->threads[i];

		fprintf(out, "%s{\"experiment\":%zu,\"id\":%" PRIu64 "}",
			i == 0 ? "" : ",", thread->expt, thread->number);
	}
	putc(']', out);
}

static void write_problems(const struct head *head, FILE *out)
{
	fputs("\"problems\":[", out);
	for (size_t i = 0; i < expt_view_problem_count(head->view); i++) {
		if (i > 0)
			putc(',', out);
		write_json_text(out, expt_view_problem(head->view, i)->text);
	}
	putc(']', out);
}

void head_write(const struct head *head, FILE *out, const struct columns *columns)
{
	put_field(out, "title", head->title);
	putc(',', out);
	write_metrics(head, out);
	putc(',', out);
	write_kinds(head, out);
	putc(',', out);
	write_names(head, out);
	putc(',', out);
	write_experiments(head, out);
	putc(',', out);
	write_problems(head, out);
	fputs(",\"columns\":", out);
	columns_describe(columns, out);
}
