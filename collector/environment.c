/* SPDX-License-Identifier: Apache-2.0 */
/* The environment as collect, or the exec wrapper of our parent, has made it. */

#include <collector/collector.h>
#include <collector/environment.h>
#include <collector/memory.h>
#include <collector/system.h>
#include <libexpt/format.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LD_PRELOAD "LD_PRELOAD="

static const char *keep(const char *string)
{
	size_t size = strlen(string) + 1;
	char *copy = memory_get(size);

	return copy != NULL ? memcpy(copy, string, size) : "";
}

static const char *keep_variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL ? keep(value) : NULL;
}

/* ---- settings ---- */

static const char *keep_value(const char *value)
{
	size_t length = strcspn(value, ";");
	char *copy = memory_get(length + 1);

	return copy != NULL ? memcpy(copy, value, length) : NULL;
}

/* "end" or "start:end", in milliseconds. */
static void read_window(const char *value)
{
	uint64_t first = text_parse_decimal(value, &value);

	if (*value != ':') {
		settings.window_end_ns = first * 1000000;
		return;
	}
	settings.window_start_ns = first * 1000000;
	settings.window_end_ns = text_parse_decimal(value + 1, NULL) * 1000000;
}

static void read_parameter(char letter, const char *value)
{
	uint64_t number = text_parse_decimal(value, NULL);

	switch (letter) {
	case PARAMETER_ARCHIVER:
		settings.archiver = keep_value(value);
		break;
	case PARAMETER_ARCHIVE:
		settings.archive_mode = keep_value(value);
		break;
	case PARAMETER_CLOCK:
		settings.period_us = number > CLOCK_PERIOD_MAX_US ? CLOCK_PERIOD_MAX_US
								  : (uint32_t)number;
		break;
	case PARAMETER_PERIODIC:
		settings.sample_period_ns = number * 1000000000;
		break;
	case PARAMETER_WINDOW:
		read_window(value);
		break;
	case PARAMETER_LIMIT:
		settings.limit_bytes = number << 20;
		break;
	case PARAMETER_FOLLOW:
		settings.follow = (int)number;
		break;
	}
}

static void read_parameters(const char *at)
{
	while (at[0] != '\0' && at[1] == ':') {
		read_parameter(at[0], at + 2);
		at += strcspn(at, ";");
		at += *at == ';';
	}
}

static size_t read_depth(void)
{
	const char *value = getenv(ENV_STACK_DEPTH);
	uint64_t depth = value != NULL ? text_parse_decimal(value, NULL)
				       : STACK_DEPTH_DEFAULT;

	if (depth < STACK_DEPTH_MIN)
		return STACK_DEPTH_MIN;
	return depth > STACK_DEPTH_MAX ? STACK_DEPTH_MAX : (size_t)depth;
}

/* "start:pid:MHz" */
static void read_run(const char *value)
{
	settings.founder_start_ns = text_parse_decimal(value, &value);
	if (*value == ':')
		settings.founder_pid = (pid_t)text_parse_decimal(value + 1, &value);
	if (*value == ':')
		settings.clock_mhz = (unsigned)text_parse_decimal(value + 1, NULL);
}

bool environment_read(void)
{
	const char *lineage = getenv(ENV_LINEAGE), *run = getenv(ENV_RUN);
	const char *founder = getenv(ENV_FOUNDER);

	settings.experiment = keep_variable(ENV_EXPERIMENT);
	settings.parameters = keep_variable(ENV_PARAMETERS);
	settings.preload = keep_variable(ENV_PRELOAD);
	settings.follow_pattern = keep_variable(ENV_FOLLOW);
	if (settings.experiment == NULL || settings.parameters == NULL ||
	    settings.experiment[0] != '/')
		return false;
	read_parameters(settings.parameters);
	settings.depth = read_depth();
	if (lineage != NULL && strlen(lineage) <= LINEAGE_MAX) {
		strcpy(process.lineage, lineage);
		if (run != NULL)
			read_run(run);
		return true;
	}
	/* The founder, or a process that collect did not mean. */
	return lineage == NULL &&
	       (founder == NULL || (pid_t)text_parse_decimal(founder, NULL) == process.pid);
}

/* ---- hiding ---- */

static bool is_separator(char c)
{
	return c == ' ' || c == ':';
}

/* Is the word one of our libraries? */
static bool is_our_library(const char *word, size_t length)
{
	const char *at = settings.preload != NULL ? settings.preload : "";

	while (*at != '\0') {
		size_t n = strcspn(at, " :");

		if (n == length && memcmp(at, word, n) == 0)
			return true;
		at += n;
		at += *at != '\0';
	}
	return false;
}

/* Take our libraries out of the list, in place; false: nothing is left. */
static bool trim_preload(char *list)
{
	char *from = list, *to = list;

	while (*from != '\0') {
		size_t n = strcspn(from, " :");

		if (n > 0 && !is_our_library(from, n)) {
			if (to != list)
				*to++ = ':';
			memmove(to, from, n);
			to += n;
		}
		from += n;
		while (is_separator(*from))
			from++;
	}
	*to = '\0';
	return to != list;
}

void environment_hide(void)
{
	char **from = environ, **to = environ;

	for (; from != NULL && *from != NULL; from++) {
		if (strncmp(*from, ENV_PREFIX, sizeof(ENV_PREFIX) - 1) == 0)
			continue;
		if (strncmp(*from, LD_PRELOAD, sizeof(LD_PRELOAD) - 1) == 0 &&
		    !trim_preload(*from + sizeof(LD_PRELOAD) - 1))
			continue;
		*to++ = *from;
	}
	if (to != NULL)
		*to = NULL;
}
