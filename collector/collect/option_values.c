/* SPDX-License-Identifier: Apache-2.0 */
/* The values of collect's options. */
#include "collector/collect/option_values.h"

#include <limits.h>
#include <regex.h>
#include <string.h>

#include "collector/collect/messages.h"
#include "collector/collect/mpi.h"
#include "collector/collect/options.h"
#include "collector/collect/signals.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define US_PER_MS     1000
#define NS_PER_MS     1000000
#define MS_PER_SECOND 1000
#define WINDOW_MAX_MS \
	(UINT32_MAX * (uint64_t)MS_PER_SECOND) /* fits a uint64_t in nanoseconds, too */

struct word_value {
	const char *word;
	uint64_t value;
};

static bool find_word(uint64_t *value, const char *text, const struct word_value *words)
{
	for (; words->word; words++) {
		if (strcmp(text, words->word) == 0) {
			*value = words->value;
			return true;
		}
	}
	return false;
}

static bool is_zero(const char *number)
{
	return number[strspn(number, "0.")] == '\0';
}

/* Parse a decimal number of milliseconds, or of the unit its suffix names, into
 * nanoseconds: at least one, if it is not 0. */
static bool parse_interval(uint64_t *ns, const char *text)
{
	size_t length = strlen(text);
	uint64_t divisor = 1000, as_seconds;
	char number[32];

	if (length == 0 || length >= sizeof(number))
		return false;
	memcpy(number, text, length + 1);
	if (number[length - 1] == 'u')
		divisor = 1000000;
	if (number[length - 1] == 'u' || number[length - 1] == 'm')
		number[length - 1] = '\0';
	if (!number_seconds(&as_seconds, number))
		return false;
	*ns = as_seconds / divisor;
	if (*ns == 0 && !is_zero(number))
		*ns = 1;
	return true;
}

static int set_clock(struct settings *settings, const char *value)
{
	static const struct word_value words[] = {
		{ "off", 0 },
		{ "on", CLOCK_PERIOD_ON_US },
		{ "lo", CLOCK_PERIOD_LOW_US },
		{ "low", CLOCK_PERIOD_LOW_US },
		{ "hi", CLOCK_PERIOD_HIGH_US },
		{ "high", CLOCK_PERIOD_HIGH_US },
		{ "h", CLOCK_PERIOD_HIGH_US },
		{},
	};
	uint64_t ns;

	settings->has_clock = true;
	if (*value == '+') {
		cli_warn("-p %s: ignoring '+': data addresses need hardware counters",
			 value);
		value++;
	}
	if (find_word(&settings->clock_period_us, value, words))
		return CLI_OK;
	if (!parse_interval(&ns, value) || ns == 0)
		return cli_error(
			"-p: invalid interval '%s': use on, off, lo, hi or a number",
			value);
	settings->clock_period_us = ns / 1000;
	if (settings->clock_period_us > CLOCK_PERIOD_MAX_US)
		return cli_error(
			"-p: invalid interval '%s': the maximum is %d milliseconds",
			value, CLOCK_PERIOD_MAX_US / US_PER_MS);
	if (settings->clock_period_us < CLOCK_PERIOD_MIN_US) {
		cli_warn("-p %s: raised to the minimum of %d microseconds", value,
			 CLOCK_PERIOD_MIN_US);
		settings->clock_period_us = CLOCK_PERIOD_MIN_US;
	} else if (ns % 1000) {
		cli_warn("-p %s: rounded down to %lu microseconds", value,
			 (unsigned long)settings->clock_period_us);
	}
	return CLI_OK;
}

static int set_switch(bool *is_on, const char *letter, const char *value)
{
	static const struct word_value words[] = { { "off", false }, { "on", true }, {} };
	uint64_t number;

	if (!find_word(&number, value, words))
		return cli_error("%s: invalid argument '%s': use on or off", letter,
				 value);
	*is_on = number;
	return CLI_OK;
}

static int set_counters(struct settings *settings, const char *value)
{
	return counters_add(&settings->counters, value);
}

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
	return set_switch(&settings->has_io, "-i", value);
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

static int set_sampling(struct settings *settings, const char *value)
{
	static const struct word_value words[] = {
		{ "off", 0 },
		{ "on", SAMPLE_PERIOD_DEFAULT_S },
		{},
	};

	if (find_word(&settings->sample_seconds, value, words))
		return CLI_OK;
	if (!number_u64(&settings->sample_seconds, value) ||
	    settings->sample_seconds == 0 || settings->sample_seconds > INT32_MAX)
		return cli_error("-S: invalid argument '%s': use on, off or a whole "
				 "number of seconds",
				 value);
	return CLI_OK;
}

static int set_limit(struct settings *settings, const char *value)
{
	static const struct word_value words[] = {
		{ "unlimited", 0 },
		{ "none", 0 },
		{},
	};

	if (find_word(&settings->limit_mb, value, words))
		return CLI_OK;
	if (!number_u64(&settings->limit_mb, value) || settings->limit_mb == 0 ||
	    settings->limit_mb > INT32_MAX)
		return cli_error("-L: invalid argument '%s': use a whole number of "
				 "megabytes, or unlimited",
				 value);
	return CLI_OK;
}

/* Parse "NUMBER", "NUMBERs" or "NUMBERm" of seconds or minutes, of the given length. A
 * time other than 0 must be at least a millisecond. */
static bool parse_time(uint64_t *ms, const char *text, size_t length)
{
	uint64_t factor = 1, ns;
	char number[32];

	if (length == 0 || length >= sizeof(number))
		return false;
	memcpy(number, text, length);
	if (number[length - 1] == 'm')
		factor = 60;
	if (number[length - 1] == 'm' || number[length - 1] == 's')
		length--;
	number[length] = '\0';
	if (!number_seconds(&ns, number) || __builtin_mul_overflow(ns, factor, &ns))
		return false;
	*ms = ns / NS_PER_MS;
	return *ms <= WINDOW_MAX_MS && (*ms > 0 || is_zero(number));
}

static int set_window(struct settings *settings, const char *value)
{
	const char *dash = strchr(value, '-');
	bool is_good;

	if (dash)
		is_good =
			(dash == value || parse_time(&settings->window_start_ms, value,
						     (size_t)(dash - value))) &&
			parse_time(&settings->window_end_ms, dash + 1, strlen(dash + 1));
	else
		is_good = parse_time(&settings->window_end_ms, value, strlen(value)) &&
			  settings->window_end_ms > 0;
	if (!is_good)
		return cli_error("-t: invalid time '%s': use a time like 90, 1.5 or 2m, "
				 "or a range like 0.5-10",
				 value);
	if (settings->window_end_ms != 0 &&
	    settings->window_start_ms >= settings->window_end_ms)
		return cli_error(
			"-t: invalid range '%s': the end must be after the start", value);
	settings->has_window = true;
	return CLI_OK;
}

static int set_follow(struct settings *settings, const char *value)
{
	static const struct word_value words[] = {
		{ "off", 0 },
		{ "on", FOLLOW_ALL },
		{ "all", FOLLOW_ALL },
		{},
	};
	uint64_t follow;
	regex_t regex;

	settings->has_follow = true;
	if (find_word(&follow, value, words)) {
		settings->follow = (int)follow;
		return CLI_OK;
	}
	if (*value != '=')
		return cli_error("-F: invalid argument '%s': use on, all, off or =REGEX",
				 value);
	if (regcomp(&regex, value + 1, REG_EXTENDED | REG_NOSUB) != 0)
		return cli_error("-F: '%s' is not a regular expression", value);
	regfree(&regex);
	settings->follow = FOLLOW_MATCHING;
	settings->follow_regex = value + 1;
	return CLI_OK;
}

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

static int set_archive(struct settings *settings, const char *value)
{
	struct expt_error err;

	settings->archive_word = value;
	if (expt_archive_mode(&settings->archive, value, &err) < 0)
		return cli_failed(&err);
	return CLI_OK;
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

static int set_name(struct settings *settings, const char *value)
{
	if (!expt_name_is_experiment(value))
		return cli_error("-o: invalid name '%s': it must end in '.er'", value);
	if (settings->name)
		return cli_error("-o %s: another name was already given", value);
	settings->name = value;
	return CLI_OK;
}

/* Sun's value is a file for messages, gprofng's an experiment. */
static int set_output(struct settings *settings, const char *value)
{
	if (!expt_name_is_experiment(value))
		return messages_redirect(value);
	if (settings->name)
		return cli_error("-O %s: another name was already given", value);
	settings->overwrites = true;
	settings->name = value;
	return CLI_OK;
}

static int set_directory(struct settings *settings, const char *value)
{
	settings->directory = value;
	return CLI_OK;
}

static int set_group(struct settings *settings, const char *value)
{
	if (!expt_name_is_group(value))
		return cli_error("-g: invalid name '%s': it must end in '.erg'", value);
	settings->group = value;
	return CLI_OK;
}

static int add_comment(struct settings *settings, const char *value)
{
	if (settings->comment_count == COMMENTS_MAX)
		return cli_error("-C: too many comments, the maximum is %d",
				 COMMENTS_MAX);
	settings->comments[settings->comment_count++] = value;
	return CLI_OK;
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
	{ 'p', 'p', set_clock },
	{ 'S', 'S', set_sampling },
	{ 'h', 0, set_counters },
	{ 'H', 'H', set_heap },
	{ 's', 's', set_sync },
	{ 'i', 'i', set_io },
	{ 'j', 'j', set_java },
	{ 'J', 'J', set_java_options },
	{ 'L', 'L', set_limit },
	{ 't', 't', set_window },
	{ 'l', 'l', set_sample_signal },
	{ 'y', 'y', set_pause_signal },
	{ 'F', 'F', set_follow },
	{ 'A', 'A', set_archive },
	{ 'a', 'A', set_archive },
	{ 'o', 'o', set_name },
	{ 'O', 'O', set_output },
	{ 'd', 'd', set_directory },
	{ 'g', 'g', set_group },
	{ 'C', 0, add_comment },
	{ 'P', 'P', set_attach },
	{ 'M', 'M', mpi_set },
	{ 'm', 'm', mpi_set_tracing },
	{ 'c', 'c', set_counting },
	{ 'I', 0, refuse_instrumented },
	{ 'N', 0, refuse_instrumented },
	{},
};
/* clang-format on */
