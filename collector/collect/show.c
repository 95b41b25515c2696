/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a recording, and the README, as text. */
#include "collector/collect/show.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "collector/collect/environment.h"
#include "collector/launch/installation.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/shell.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

static void show_number(FILE *to, const char *what, uint64_t value, const char *unit,
			const char *if_zero)
{
	if (value)
		fprintf(to, "  %-20s %lu %s\n", what, (unsigned long)value, unit);
	else
		fprintf(to, "  %-20s %s\n", what, if_zero);
}

static void show_switch(FILE *to, const char *what, bool is_on)
{
	fprintf(to, "  %-20s %s\n", what, is_on ? "on" : "off");
}

static void show_signal(FILE *to, const char *what, int signal, const char *how)
{
	const char *name = sigabbrev_np(signal);

	if (signal && name)
		fprintf(to, "  %-20s %s%s\n", what, name, how);
	else if (signal)
		fprintf(to, "  %-20s %d%s\n", what, signal, how);
}

static void show_heap(FILE *to, const struct settings *settings)
{
	unsigned long smallest = (unsigned long)settings->smallest_block;
	unsigned long largest = (unsigned long)settings->largest_block;

	if (largest)
		fprintf(to, "  %-20s blocks of %lu to %lu bytes\n", "heap tracing",
			smallest, largest);
	else if (smallest)
		fprintf(to, "  %-20s blocks of %lu bytes and more\n", "heap tracing",
			smallest);
	else
		show_switch(to, "heap tracing", settings->has_heap);
}

static void show_sync(FILE *to, const struct settings *settings)
{
	static const char what[] = "synchronization";

	if (!settings->has_sync || settings->sync_threshold_us == SYNC_CALIBRATE)
		fprintf(to, "  %-20s %s\n", what,
			settings->has_sync ? "calibrated" : "off");
	else
		fprintf(to, "  %-20s from %d microseconds\n", what,
			settings->sync_threshold_us);
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

/* Print the command as it would be typed in a shell. */
static void show_command(FILE *to, char *const *words, const char *path)
{
	cleanup_strbuf struct strbuf command = STRBUF_INIT;

	shell_add_word(&command, path);
	while (*++words)
		shell_add_word(&command, *words);
	escape_printf(to, "  %-20s %s\n", "command", strbuf_text(&command));
}

static void show_counter(FILE *to, const struct counter *counter)
{
	fprintf(to, "  %-20s %s, every %lu %s%s\n", "counter", counter->name,
		(unsigned long)counter->period,
		counter_is_watch(counter) ? "nanoseconds" : "events",
		counter->has_address ? ", with data addresses" : "");
}

static void put_settings(FILE *to, const struct settings *settings,
			 const struct experiment *experiment, const struct target *target)
{
	fprintf(to, "%s (erkit) %s\n", cli_program(), ERKIT_VERSION);
	show_number(to, "clock profiling", settings->clock_period_us, "microseconds",
		    "off");
	for (size_t i = 0; i < settings->counters.count; i++)
		show_counter(to, &settings->counters.items[i]);
	show_heap(to, settings);
	show_sync(to, settings);
	show_switch(to, "I/O tracing", settings->has_io);
	if (settings->has_mpi)
		show_switch(to, "MPI tracing", true);
	if (settings->java.is_expected || target->java != JAVA_NONE)
		show_switch(to, "Java", settings->java.is_expected);
	show_number(to, "periodic samples", settings->sample_seconds, "seconds", "off");
	escape_printf(to, "  %-20s %s%s\n", "descendants",
		      settings->follow == 0		    ? "off"
		      : settings->follow == FOLLOW_MATCHING ? "matching "
							    : "on",
		      settings->follow_regex ? settings->follow_regex : "");
	show_window(to, settings);
	show_signal(to, "sample signal", settings->sample_signal, "");
	show_signal(to, "pause signal", settings->pause_signal,
		    settings->starts_recording ? ", begins recording"
					       : ", begins paused");
	show_number(to, "stack depth", environment_stack_depth(), "frames", "");
	show_number(to, "size limit", settings->limit_mb, "megabytes", "none");
	fprintf(to, "  %-20s %s\n", "archive", settings->archive_word);
	escape_printf(to, "  %-20s %s\n", "experiment", experiment->path);
	if (settings->group)
		escape_printf(to, "  %-20s %s\n", "group", settings->group);
	for (size_t i = 0; i < settings->comment_count; i++)
		escape_printf(to, "  %-20s %s\n", "comment", settings->comments[i]);
	if (settings->stops_after_exec)
		fprintf(to, "  %-20s %s\n", "start", "stopped, for a debugger");
	if (settings->process)
		fprintf(to, "  %-20s %d\n", "process", (int)settings->process);
	else
		show_command(to, settings->target, target->path);
}

int settings_show(const struct settings *settings, const struct experiment *experiment,
		  const struct target *target)
{
	FILE *to = escape_stream(settings->is_dry_run ? stdout : stderr);

	if (!to)
		return cli_error("out of memory");
	put_settings(to, settings, experiment, target);
	errno = 0;
	return fclose(to) == 0 || !settings->is_dry_run ? CLI_OK : cli_write_error(errno);
}

int readme_show(void)
{
	struct installation installation = {};
	FILE *file = NULL;
	char buffer[4096];
	size_t size;

	printf("%s (erkit) %s\n\n", cli_program(), ERKIT_VERSION);
	if (installation_find(&installation) == CLI_OK)
		file = fopen(installation.readme, "re");
	if (!file && installation.readme)
		cli_warn("cannot open '%s': %s", installation.readme,
			 strerrordesc_np(errno));
	while (file && (size = fread(buffer, 1, sizeof(buffer), file)) > 0)
		fwrite(buffer, 1, size, stdout);
	if (file)
		fclose(file);
	installation_release(&installation);
	return cli_finish(CLI_OK);
}
