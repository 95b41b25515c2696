/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/launch/show.h"

#include <errno.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/shell.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"

FILE *show_begin(const struct settings *settings)
{
	FILE *to = escape_stream(settings->is_dry_run ? stdout : stderr);

	if (to)
		fprintf(to, "%s (erkit) %s\n", cli_program(), ERKIT_VERSION);
	else
		cli_error("out of memory");
	return to;
}

int show_end(FILE *to, const struct settings *settings)
{
	errno = 0;
	return fclose(to) == 0 || !settings->is_dry_run ? CLI_OK : cli_write_error(errno);
}

void show_number(FILE *to, const char *what, uint64_t value, const char *unit,
		 const char *if_zero)
{
	if (value)
		fprintf(to, "  %-20s %lu %s\n", what, (unsigned long)value, unit);
	else
		fprintf(to, "  %-20s %s\n", what, if_zero);
}

void show_switch(FILE *to, const char *what, bool is_on)
{
	fprintf(to, "  %-20s %s\n", what, is_on ? "on" : "off");
}

void show_command(FILE *to, const char *what, char *const *words, const char *path)
{
	cleanup_strbuf struct strbuf command = STRBUF_INIT;

	shell_add_word(&command, path);
	while (*++words)
		shell_add_word(&command, *words);
	escape_printf(to, "  %-20s %s\n", what, strbuf_text(&command));
}

static void show_counter(FILE *to, const struct counter *counter)
{
	fprintf(to, "  %-20s %s, every %lu %s%s\n", "counter", counter->name,
		(unsigned long)counter->period,
		counter_is_watch(counter) ? "nanoseconds" : "events",
		counter->has_address ? ", with data addresses" : "");
}

void show_counters(FILE *to, const struct settings *settings)
{
	for (size_t i = 0; i < settings->counters.count; i++)
		show_counter(to, &settings->counters.items[i]);
}

void show_window(FILE *to, const struct settings *settings)
{
	unsigned long start = (unsigned long)settings->window_start_ms;
	unsigned long end = (unsigned long)settings->window_end_ms;

	if (settings->has_window && end)
		fprintf(to, "  %-20s %lu to %lu milliseconds\n", "window", start, end);
	else if (settings->has_window)
		fprintf(to, "  %-20s %lu milliseconds to the end\n", "window", start);
}

void show_destination(FILE *to, const struct settings *settings,
		      const struct experiment *experiment)
{
	show_number(to, "size limit", settings->limit_mb, "megabytes", "none");
	fprintf(to, "  %-20s %s\n", "archive", settings->archive_word);
	escape_printf(to, "  %-20s %s\n", "experiment", experiment->path);
	if (settings->group)
		escape_printf(to, "  %-20s %s\n", "group", settings->group);
	for (size_t i = 0; i < settings->comment_count; i++)
		escape_printf(to, "  %-20s %s\n", "comment", settings->comments[i]);
}
