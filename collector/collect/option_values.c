/* SPDX-License-Identifier: Apache-2.0 */
/* The values of options that only collect has. */
#include "collector/collect/option_values.h"

#include <limits.h>
#include <string.h>

#include "collector/collect/mpi.h"
#include "collector/collect/signals.h"
#include "collector/collect/threads.h"
#include "collector/launch/values.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

/* Parse "SMALLEST[-LARGEST]" in bytes, in numbers that a parameter can hold. */
static bool parse_sizes(struct settings *settings, const char *value)
{
	const char *dash = strchrnul(value, '-');
	cleanup_free char *smallest = strndup(value, (size_t)(dash - value));

	return smallest && number_u64(&settings->smallest_block, smallest) &&
	       settings->smallest_block <= INT64_MAX &&
	       (!*dash ||
		(number_u64(&settings->largest_block, dash + 1) &&
		 settings->largest_block > 0 && settings->largest_block <= INT64_MAX &&
		 settings->largest_block >= settings->smallest_block));
}

static int set_heap(struct settings *settings, const char *value)
{
	settings->has_heap = strcmp(value, "off") != 0;
	if (!settings->has_heap || strcmp(value, "on") == 0 ||
	    parse_sizes(settings, value))
		return CLI_OK;
	return cli_error("-H: invalid argument '%s': use on, off, a block size in bytes "
			 "like 4096, or a range like 16-1024",
			 value);
}

static int set_io(struct settings *settings, const char *value)
{
	return value_switch(&settings->has_io, "-i", value);
}

/* Parse "THRESHOLD[,n][,j][,nj]": for native code, and for a Java machine. */
static int set_sync(struct settings *settings, const char *value)
{
	const char *scope = strchrnul(value, ',');
	cleanup_free char *word = strndup(value, (size_t)(scope - value));
	uint64_t us;

	if (!word)
		return cli_error("out of memory");
	if (*scope && strcmp(scope, ",n") != 0 && strcmp(scope, ",j") != 0 &&
	    strcmp(scope, ",nj") != 0)
		return cli_error("-s: invalid argument '%s': only n, j or nj can follow "
				 "the threshold",
				 value);
	settings->has_sync = strcmp(word, "off") != 0;
	if (strcmp(word, "on") == 0 || strcmp(word, "calibrate") == 0)
		settings->sync_threshold_us = SYNC_CALIBRATE;
	else if (strcmp(word, "all") == 0)
		settings->sync_threshold_us = 0;
	else if (settings->has_sync && (!number_u64(&us, word) || us > INT32_MAX))
		return cli_error("-s: invalid argument '%s': use on, off, all or a "
				 "number of microseconds",
				 value);
	else if (settings->has_sync)
		settings->sync_threshold_us = (int)us;
	settings->sync_scope = (*scope && !strchr(scope, 'n') ? 0 : SYNC_SCOPE_NATIVE) |
			       (*scope && !strchr(scope, 'j') ? 0 : SYNC_SCOPE_JAVA);
	return CLI_OK;
}

static int set_java(struct settings *settings, const char *value)
{
	return java_choose(&settings->java, value);
}

static int set_java_options(struct settings *settings, const char *value)
{
	settings->java.options = value;
	return CLI_OK;
}

/* Parse "NUMBER", "NUMBERs" or "NUMBERm" of seconds or minutes, of the given length. A
 * time other than 0 must be at least a millisecond. */
static int set_sample_signal(struct settings *settings, const char *value)
{
	return signal_parse(&settings->sample_signal, 'l', value, strlen(value));
}

/* Parse "SIG" or "SIG,r". */
static int set_pause_signal(struct settings *settings, const char *value)
{
	const char *comma = strchrnul(value, ',');

	settings->starts_recording = strcmp(comma, ",r") == 0;
	if (*comma && !settings->starts_recording)
		return cli_error(
			"-y: invalid argument '%s': only r can follow the signal", value);
	return signal_parse(&settings->pause_signal, 'y', value, (size_t)(comma - value));
}

static int set_counting(struct settings *settings, const char *value)
{
	if (strcmp(value, "off") == 0)
		return CLI_OK;
	if (strcmp(value, "on") != 0 && strcmp(value, "static") != 0)
		return cli_error("-c: invalid argument '%s': use on, static or off",
				 value);
	return cli_error("-c %s: instrumenting programs is not supported", value);
}

static int refuse_instrumented(struct settings *settings, const char *value)
{
	return cli_error("'%s': instrumenting programs (-I, -N) is not supported", value);
}

int set_action(struct settings *settings, enum action action)
{
	if (settings->action != ACTION_RECORD)
		return cli_error(
			"only one of -P, --prepare and --libraries can be given");
	settings->action = action;
	return CLI_OK;
}

int set_process(struct settings *settings, enum action action, const char *option,
		const char *value)
{
	uint64_t process;

	if (!number_u64(&process, value) || process == 0 || process > INT_MAX)
		return cli_error("%s: invalid process '%s'", option, value);
	settings->process = (pid_t)process;
	return set_action(settings, action);
}

static int set_attach(struct settings *settings, const char *value)
{
	return set_process(settings, ACTION_ATTACH, "-P", value);
}

/* clang-format off */
const struct option_value option_values[] = {
	{ 'p', 'p', value_clock },
	{ 'S', 'S', value_sampling },
	{ 'h', 0, value_counters },
	{ 'H', 'H', set_heap },
	{ 's', 's', set_sync },
	{ 'i', 'i', set_io },
	{ 'r', 'r', threads_set },
	{ 'j', 'j', set_java },
	{ 'J', 'J', set_java_options },
	{ 'L', 'L', value_limit },
	{ 't', 't', value_window },
	{ 'l', 'l', set_sample_signal },
	{ 'y', 'y', set_pause_signal },
	{ 'F', 'F', value_follow },
	{ 'A', 'A', value_archive },
	{ 'a', 'A', value_archive },
	{ 'o', 'o', value_name },
	{ 'O', 'O', value_output },
	{ 'd', 'd', value_directory },
	{ 'g', 'g', value_group },
	{ 'C', 0, value_comment },
	{ 'P', 'P', set_attach },
	{ 'M', 'M', mpi_set },
	{ 'm', 'm', mpi_set_tracing },
	{ 'c', 'c', set_counting },
	{ 'I', 0, refuse_instrumented },
	{ 'N', 0, refuse_instrumented },
	{},
};
/* clang-format on */
