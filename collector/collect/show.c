/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a recording, and the README, as text. */
#include "collector/collect/show.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "collector/collect/environment.h"
#include "collector/collect/threads.h"
#include "collector/launch/installation.h"
#include "collector/launch/show.h"
#include "libexpt/base/escape.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

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

static void put_settings(FILE *to, const struct settings *settings,
			 const struct experiment *experiment, const struct target *target)
{
	show_number(to, "clock profiling", settings->clock_period_us, "microseconds",
		    "off");
	show_counters(to, settings);
	show_heap(to, settings);
	show_sync(to, settings);
	show_switch(to, "I/O tracing", settings->has_io);
	if (settings->has_races)
		show_switch(to, "races", true);
	if (settings->has_deadlocks)
		fprintf(to, "  %-20s %s\n", "deadlocks",
			deadlock_action_name(settings->on_deadlock));
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
	show_destination(to, settings, experiment);
	if (settings->stops_after_exec)
		fprintf(to, "  %-20s %s\n", "start", "stopped, for a debugger");
	if (settings->process)
		fprintf(to, "  %-20s %d\n", "process", (int)settings->process);
	else
		show_command(to, "command", settings->target, target->path);
}

int settings_show(const struct settings *settings, const struct experiment *experiment,
		  const struct target *target)
{
	FILE *to = show_begin(settings);

	if (!to)
		return CLI_FAILED;
	put_settings(to, settings, experiment, target);
	return show_end(to, settings);
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
