/* SPDX-License-Identifier: Apache-2.0 */
/* Comma-separated values after RFC 4180: a row for each thread and call path, with a
 * column for each metric. */
#include <errno.h>

#include "er_export/formats/calls.h"
#include "er_export/formats/private.h"
#include "libexpt/cli/write.h"

static void write_text(FILE *out, const char *text)
{
	putc_unlocked('"', out);
	write_line(out, text, "", '"');
	putc_unlocked('"', out);
}

static void write_header(FILE *out, const struct source *source)
{
	fputs("experiment,pid,thread,lwp", out);
	for (size_t i = 0; i < source->metric_count; i++) {
		char column[COLUMN_NAME_SIZE];

		column_name(column, source_metric(source, i));
		putc_unlocked(',', out);
		write_text(out, column);
	}
	fputs(",leaf,stack\r\n", out);
}

static void write_thread(FILE *out, const struct source *source, uint32_t number)
{
	const struct expt_table_thread *thread = &source->tables->threads[number];

	write_text(out, thread_experiment(source, number));
	putc_unlocked(',', out);
	write_signed(out, thread_info(source, number)->pid);
	putc_unlocked(',', out);
	write_number(out, thread->number);
	putc_unlocked(',', out);
	write_number(out, thread->lwp);
}

static void write_path(FILE *out, char *const *names, const struct call_sums *sums,
		       size_t depth)
{
	putc_unlocked('"', out);
	for (size_t i = 0; i < depth; i++) {
		if (i > 0)
			putc_unlocked(';', out);
		fputs(names[sums->functions[i]], out);
	}
	putc_unlocked('"', out);
}

static void write_row(FILE *out, const struct source *source, char *const *names,
		      const struct call_sums *sums, const struct call_sum *sum,
		      size_t depth)
{
	write_thread(out, source, sum->thread);
	for (size_t i = 0; i < source->metric_count; i++) {
		putc_unlocked(',', out);
		write_signed(out, sums->values[sum->values + i]);
	}
	putc_unlocked(',', out);
	write_text(out,
		   depth > 0 ? function_name(source, sums->functions[depth - 1]) : "");
	putc_unlocked(',', out);
	write_path(out, names, sums, depth);
	fputs("\r\n", out);
}

static int write_csv(FILE *out, const struct source *source)
{
	struct call_sums sums = { .values = NULL };
	struct calls calls;
	char **names = line_names(source, ";", '"');
	bool is_good = calls_make(&calls, source->tables) && names &&
		       call_sums_make(&sums, source, &calls, true);

	if (is_good)
		write_header(out, source);
	for (size_t i = 0; i < sums.all.count && is_good && !ferror(out); i++) {
		const struct call_sum *sum = &sums.all.items[i];

		write_row(out, source, names, &sums, sum,
			  call_sums_path(&sums, &calls, sum));
	}
	line_names_free(source, names);
	call_sums_release(&sums);
	calls_release(&calls);
	return is_good ? 0 : -ENOMEM;
}

const struct format csv_format = {
	.name = "csv",
	.lacks = "has no lines, load objects or times",
	.write = write_csv,
};
