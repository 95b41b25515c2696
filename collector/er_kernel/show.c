/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/show.h"

#include <errno.h>
#include <stdio.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/shell.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"

static void show_number(FILE *to, const char *what, uint64_t value, const char *unit,
			const char *if_zero)
{
	if (value)
		fprintf(to, "  %-20s %lu %s\n", what, (unsigned long)value, unit);
	else
		fprintf(to, "  %-20s %s\n", what, if_zero);
}

static void show_window(FILE *to, const struct settings *settings)
{
	unsigned long start = (unsigned long)settings->window_start_ms;
	unsigned long end = (unsigned long)settings->window_end_ms;

	if (settings->has_window && end)
		fprintf(to, "  %-20s %lu to %lu milliseconds\n", "window", start, end);
	else if (settings->has_window)
		fprintf(to, "  %-20s %lu milliseconds to the end\n", "window", start);
}

/* Print the load as it would be typed in a shell. */
static void show_load(FILE *to, const struct settings *settings)
{
	cleanup_strbuf struct strbuf command = STRBUF_INIT;

	if (!*settings->target)
		return;
	for (char *const *word = settings->target; *word; word++)
		shell_add_word(&command, *word);
	escape_printf(to, "  %-20s %s\n", "load", strbuf_text(&command));
	show_number(to, "quiet", settings->quiet_seconds, "seconds before and after it",
		    "none");
}

static void put_settings(FILE *to, const struct settings *settings,
			 const struct experiment *experiment)
{
	fprintf(to, "%s (erkit) %s\n", cli_program(), ERKIT_VERSION);
	show_number(to, "clock profiling", settings->clock_period_us, "microseconds",
		    "off");
	fprintf(to, "  %-20s %s\n", "idle processors", settings->has_idle ? "on" : "off");
	show_number(to, "periodic samples", settings->sample_seconds, "seconds", "off");
	show_window(to, settings);
	show_number(to, "size limit", settings->limit_mb, "megabytes", "none");
	fprintf(to, "  %-20s %s\n", "archive", settings->archive_word);
	escape_printf(to, "  %-20s %s\n", "experiment", experiment->path);
	if (settings->group)
		escape_printf(to, "  %-20s %s\n", "group", settings->group);
	for (size_t i = 0; i < settings->comment_count; i++)
		escape_printf(to, "  %-20s %s\n", "comment", settings->comments[i]);
	show_load(to, settings);
}

int settings_show(const struct settings *settings, const struct experiment *experiment)
{
	FILE *to = escape_stream(settings->is_dry_run ? stdout : stderr);

	if (!to)
		return cli_error("out of memory");
	put_settings(to, settings, experiment);
	errno = 0;
	return fclose(to) == 0 || !settings->is_dry_run ? CLI_OK : cli_write_error(errno);
}
