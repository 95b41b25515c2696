/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/values.h"

#include <regex.h>
#include <string.h>

#include "collector/launch/messages.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define US_PER_MS     1000
#define NS_PER_MS     1000000
#define MS_PER_SECOND 1000
#define WINDOW_MAX_MS \
	(UINT32_MAX * (uint64_t)MS_PER_SECOND) /* fits a uint64_t in nanoseconds, too */

/* Parse a decimal number of milliseconds, or of the unit its suffix names, into
 * nanoseconds: at least one, if it is not 0. */
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

int value_clock(struct settings *settings, const char *value)
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

int value_switch(bool *is_on, const char *letter, const char *value)
{
	static const struct word_value words[] = { { "off", false }, { "on", true }, {} };
	uint64_t number;

	if (!find_word(&number, value, words))
		return cli_error("%s: invalid argument '%s': use on or off", letter,
				 value);
	*is_on = number;
	return CLI_OK;
}

int value_counters(struct settings *settings, const char *value)
{
	return counters_add(&settings->counters, value);
}

int value_sampling(struct settings *settings, const char *value)
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

int value_limit(struct settings *settings, const char *value)
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

int value_window(struct settings *settings, const char *value)
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

int value_follow(struct settings *settings, const char *value)
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

int value_archive(struct settings *settings, const char *value)
{
	struct expt_error err;

	settings->archive_word = value;
	if (expt_archive_mode(&settings->archive, value, &err) < 0)
		return cli_failed(&err);
	return CLI_OK;
}

int value_name(struct settings *settings, const char *value)
{
	if (!expt_name_is_experiment(value))
		return cli_error("-o: invalid name '%s': it must end in '.er'", value);
	if (settings->name)
		return cli_error("-o %s: another name was already given", value);
	settings->name = value;
	return CLI_OK;
}

/* Sun's value is a file for messages, gprofng's an experiment. */
int value_output(struct settings *settings, const char *value)
{
	if (!expt_name_is_experiment(value))
		return messages_redirect(value);
	if (settings->name)
		return cli_error("-O %s: another name was already given", value);
	settings->overwrites = true;
	settings->name = value;
	return CLI_OK;
}

int value_directory(struct settings *settings, const char *value)
{
	settings->directory = value;
	return CLI_OK;
}

int value_group(struct settings *settings, const char *value)
{
	if (!expt_name_is_group(value))
		return cli_error("-g: invalid name '%s': it must end in '.erg'", value);
	settings->group = value;
	return CLI_OK;
}

int value_comment(struct settings *settings, const char *value)
{
	if (settings->comment_count == COMMENTS_MAX)
		return cli_error("-C: too many comments, the maximum is %d",
				 COMMENTS_MAX);
	settings->comments[settings->comment_count++] = value;
	return CLI_OK;
}

int value_overwrite(struct settings *settings, const char *value)
{
	settings->overwrites = true;
	return CLI_OK;
}

int value_outfile(struct settings *settings, const char *value)
{
	return messages_redirect(value);
}

void value_dry_run(struct settings *settings)
{
	settings->is_dry_run = true;
}

void value_verbose(struct settings *settings)
{
	settings->is_verbose = true;
}
