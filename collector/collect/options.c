/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/collect/options.h"

#include <string.h>

#include "collector/collect/by_gdb.h"
#include "collector/collect/mpi.h"
#include "collector/collect/option_values.h"
#include "collector/launch/values.h"
#include "collector/launch/words.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

static void set_stopped(struct settings *settings)
{
	settings->stops_after_exec = true;
}

static const struct option_flag flags[] = {
	{ 'n', value_dry_run },
	{ 'v', value_verbose },
	{ 'x', set_stopped },
	{},
};

static int set_prepare(struct settings *settings, const char *value)
{
	return set_process(settings, ACTION_PREPARE, "--prepare", value);
}

static int set_libraries(struct settings *settings, const char *value)
{
	return set_action(settings, ACTION_LIBRARIES);
}

static int set_archived(struct settings *settings, const char *value)
{
	settings->name = value;
	return set_action(settings, ACTION_ARCHIVE);
}

static int set_gdb(struct settings *settings, const char *value)
{
	settings->uses_gdb = true;
	return CLI_OK;
}

static const struct option_long long_options[] = {
	{ "--overwrite", false, value_overwrite },
	{ "--outfile", true, value_outfile },
	{ "--prepare", true, set_prepare },
	{ "--libraries", false, set_libraries },
	{ "--archive", true, set_archived },
	{ "--gdb", false, set_gdb },
	{ "--rank", true, mpi_set_rank },
	{},
};

/* Refuse what a process that runs already cannot do, and programs to start beside it. */
static int check_action(struct settings *settings)
{
	int status = settings->uses_gdb ? by_gdb_check(settings) : CLI_OK;

	if (settings->action == ACTION_RECORD || status != CLI_OK)
		return status;
	if (*settings->target)
		return cli_error("unexpected program '%s'", *settings->target) + 1;
	if (settings->stops_after_exec)
		return cli_error("-x requires a program") + 1;
	if (settings->has_follow && settings->follow)
		cli_warn("ignoring -F: descendants of a process that runs already are "
			 "not recorded");
	settings->follow = 0;
	if (settings->action == ACTION_ATTACH &&
	    (settings->java.mode == JAVA_ON || settings->java.options))
		cli_warn("ignoring -j and -J: Java in a process that runs already is "
			 "recorded as native code");
	return CLI_OK;
}

int options_parse(struct settings *settings, char *argv[], const char *usage)
{
	static const struct option_words options = { option_values, flags, long_options };
	int status;

	*settings = (struct settings){
		.stem = DEFAULT_STEM,
		.clock_period_us = CLOCK_PERIOD_ON_US,
		.sample_seconds = SAMPLE_PERIOD_DEFAULT_S,
		.limit_mb = SIZE_LIMIT_DEFAULT_MB,
		.follow = FOLLOW_ALL,
		.archive_word = "on",
		.archive = EXPT_ARCHIVE_ON,
	};
	status = words_parse(settings, argv, &options, usage);
	if (status != CLI_OK)
		return status;
	/* A process that a launcher of MPI jobs has started is numbered by rank. */
	if (settings->action == ACTION_RECORD && settings->mpi == MPI_OFF)
		settings->number = mpi_rank_of_environment();
	if (settings->action == ACTION_RECORD && !*settings->target) {
		cli_error("missing program to record");
		return cli_usage(usage);
	}
	status = check_action(settings);
	if (status == CLI_OK)
		status = mpi_check(settings);
	if (status != CLI_OK)
		return status;
	if (settings->java.options && settings->java.mode == JAVA_OFF)
		return cli_error("-J requires Java, which -j off leaves out") + 1;
	if (settings->sample_signal && settings->sample_signal == settings->pause_signal)
		return cli_error("-l and -y must use different signals") + 1;
	/* Counters, and data of threads, replace the clock, unless both are requested. */
	if ((settings->counters.count > 0 || settings->has_threads) &&
	    !settings->has_clock)
		settings->clock_period_us = 0;
	if (settings->clock_period_us == 0 && settings->counters.count == 0 &&
	    !settings->has_heap && !settings->has_sync && !settings->has_io &&
	    !settings->has_mpi && !settings->has_deadlocks && !settings->has_races)
		cli_warn("no data requested: recording only samples");
	return CLI_OK;
}

void options_release(struct settings *settings)
{
	counters_release(&settings->counters);
	java_release(&settings->java);
}
