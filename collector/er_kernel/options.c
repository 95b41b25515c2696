/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/options.h"

#include <string.h>

#include "collector/launch/values.h"
#include "collector/launch/words.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define QUIET_DEFAULT_S 3
#define QUIET_MAX_S	86400

static int set_quiet(struct settings *settings, const char *value)
{
	if (!number_u64(&settings->quiet_seconds, value) ||
	    settings->quiet_seconds > QUIET_MAX_S)
		return cli_error("-q: invalid argument '%s': use a whole number of "
				 "seconds, at most %d",
				 value, QUIET_MAX_S);
	return CLI_OK;
}

static int set_busy(struct settings *settings, const char *value)
{
	bool is_busy_only = true;
	int status = value_switch(&is_busy_only, "-x", value);

	settings->has_idle = !is_busy_only;
	return status;
}

/* As for collect, but 0 is off, too. */
static int set_clock(struct settings *settings, const char *value)
{
	static const char *const zeros[] = { "0", "0u", "0m" };

	for (size_t i = 0; i < sizeof(zeros) / sizeof(*zeros); i++)
		if (strcmp(value, zeros[i]) == 0)
			value = "off";
	return value_clock(settings, value);
}

static const struct option_value values[] = {
	{ 'p', 'p', set_clock },       { 'h', 0, value_counters },
	{ 'S', 'S', value_sampling },  { 'F', 'F', value_follow },
	{ 't', 't', value_window },    { 'q', 'q', set_quiet },
	{ 'x', 'x', set_busy },	       { 'L', 'L', value_limit },
	{ 'A', 'A', value_archive },   { 'a', 'A', value_archive },
	{ 'o', 'o', value_name },      { 'O', 'O', value_output },
	{ 'd', 'd', value_directory }, { 'g', 'g', value_group },
	{ 'C', 0, value_comment },     {},
};

static const struct option_flag flags[] = {
	{ 'n', value_dry_run },
	{ 'v', value_verbose },
	{},
};

static const struct option_long longs[] = {
	{ "--overwrite", false, value_overwrite },
	{ "--outfile", true, value_outfile },
	{},
};

/* Does the name say in which mode of the processor to count? */
static bool says_mode(const char *name)
{
	static const char *const modes[] = { "~user", "~system", ":u", ":k" };

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		const char *at = strstr(name, modes[i]);
		char next = at ? at[strlen(modes[i])] : 'x';

		if (next == '\0' || strchr("~:=", next))
			return true;
	}
	return false;
}

/* Addresses of data are those of a process, and watchpoints are set in it. The kernel is
 * counted, too, unless that is not wanted. */
static int check_counters(struct counter_list *counters)
{
	for (size_t i = 0; i < counters->count; i++) {
		struct counter *counter = &counters->items[i];

		if (counter_is_watch(counter))
			return cli_error("-h %s: use collect", counter->name) + 1;
		if (counter->has_address)
			cli_warn("-h %s: ignoring '+': data addresses are recorded by "
				 "collect",
				 counter->name);
		counter->has_address = false;
		counter->is_user_only = counter->is_user_only &&
					says_mode(counter->internal);
	}
	return CLI_OK;
}

int options_parse(struct settings *settings, char *argv[], const char *usage)
{
	static const struct option_words options = { values, flags, longs };
	int status;

	*settings = (struct settings){
		.stem = KERNEL_STEM,
		.clock_period_us = CLOCK_PERIOD_ON_US,
		.sample_seconds = SAMPLE_PERIOD_DEFAULT_S,
		.limit_mb = SIZE_LIMIT_DEFAULT_MB,
		.quiet_seconds = QUIET_DEFAULT_S,
		.archive_word = "on",
		.archive = EXPT_ARCHIVE_ON,
	};
	status = words_parse(settings, argv, &options, usage);
	if (status == CLI_OK)
		status = check_counters(&settings->counters);
	if (status != CLI_OK)
		return status;
	/* Counters replace the clock, unless both are requested. */
	if (settings->counters.count > 0 && !settings->has_clock)
		settings->clock_period_us = 0;
	if (settings->clock_period_us == 0 && settings->counters.count == 0)
		cli_warn("no data requested: recording only samples");
	return CLI_OK;
}
