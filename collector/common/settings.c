/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of the settings that collect, the wrappers of exec, and debuggers pass on:
 * SP_COLLECTOR_PARAMS and the like. */

#include "collector/common/settings.h"

#include <stdlib.h>
#include <string.h>

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "libexpt/format.h"

struct settings settings;
static const char *list; /* NULL: the environment has the settings */

const char *settings_variable(const char *name)
{
	size_t length = strlen(name);

	if (!list)
		return getenv(name);
	for (const char *at = list; *at != '\0'; at += strlen(at) + 1)
		if (strncmp(at, name, length) == 0 && at[length] == '=')
			return at + length + 1;
	return NULL;
}

void settings_use_list(const char *variables)
{
	list = variables;
	settings = (struct settings){ 0 };
}

bool settings_are_from_list(void)
{
	return list != NULL;
}

const char *settings_keep(const char *string)
{
	size_t size = strlen(string) + 1;
	char *copy = memory_get(size);

	return copy ? memcpy(copy, string, size) : "";
}

static const char *keep_variable(const char *name)
{
	const char *value = settings_variable(name);

	return value ? settings_keep(value) : NULL;
}

static const char *keep_value(const char *value)
{
	size_t length = strcspn(value, ";");
	char *copy = memory_get(length + 1);

	return copy ? memcpy(copy, value, length) : NULL;
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

/* "device:inode:owner" */
static void read_directory(const char *value)
{
	settings.device = text_parse_decimal(value, &value);
	settings.inode = *value == ':' ? text_parse_decimal(value + 1, &value) : 0;
	settings.owner = *value == ':' ? text_parse_decimal(value + 1, &value) : 0;
	settings.has_directory = true;
}

/* "number", or "numberp" */
static void read_pause_signal(const char *value)
{
	settings.pause_signal = (int)text_parse_decimal(value, &value);
	settings.starts_paused = *value == 'p';
}

/* Take the word up to the separator, and the separator. */
static const char *take_word(const char **at, char separator)
{
	size_t length = 0;
	char *copy;

	while ((*at)[length] != separator && (*at)[length] != ';' &&
	       (*at)[length] != '\0')
		length++;
	copy = memory_get(length + 1);
	if (copy)
		memcpy(copy, *at, length);
	*at += length + ((*at)[length] == separator);
	return copy ? copy : "";
}

static uint64_t take_number(const char **at)
{
	uint64_t number = text_parse_decimal(*at, at);

	if (**at == ',')
		++*at;
	return number;
}

static void read_counters(const char *at)
{
	while (*at != '\0' && *at != ';' && settings.counter_count < COUNTERS_MAX) {
		struct counter *counter = &settings.counters[settings.counter_count++];

		counter->name = take_word(&at, ',');
		counter->internal = take_word(&at, ',');
		counter->cpu = (int32_t)take_number(&at);
		counter->type = (uint32_t)take_number(&at);
		counter->config = take_number(&at);
		counter->config1 = take_number(&at);
		counter->config2 = take_number(&at);
		counter->period = take_number(&at);
		counter->flags = (uint32_t)take_number(&at);
		take_word(&at, '|');
	}
}

/* "us", or "us,n", "us,j" or "us,nj" */
static void read_sync(const char *value)
{
	size_t length = strcspn(value, ",;");

	settings.has_sync = settings.is_tracing = true;
	settings.sync_threshold_us =
		*value == '-' ? SYNC_CALIBRATE : (int32_t)text_parse_decimal(value, NULL);
	for (; value[length] != '\0' && value[length] != ';'; length++)
		settings.sync_scope |= value[length] == 'n'   ? SYNC_SCOPE_NATIVE
				       : value[length] == 'j' ? SYNC_SCOPE_JAVA
							      : 0;
	if (settings.sync_scope == 0)
		settings.sync_scope = SYNC_SCOPE_NATIVE;
}

/* "r", "d0" or "rd0": races, and deadlocks with what to do in one */
static void read_threads(const char *value)
{
	settings.is_tracing = true;
	settings.has_races = *value == 'r';
	value += settings.has_races;
	settings.has_deadlocks = *value == 'd';
	if (settings.has_deadlocks)
		settings.on_deadlock = (int)text_parse_decimal(value + 1, NULL);
}

static void read_parameter(char letter, const char *value)
{
	uint64_t number = text_parse_decimal(value, NULL);

	switch (letter) {
	case PARAMETER_VERSION:
		settings.version = keep_value(value);
		break;
	case PARAMETER_ARCHIVER:
		settings.archiver = keep_value(value);
		break;
	case PARAMETER_ARCHIVE:
		settings.archive_mode = keep_value(value);
		if (settings.archive_mode && strcmp(settings.archive_mode, "off") == 0)
			settings.archive_mode = NULL;
		break;
	case PARAMETER_CLOCK:
		settings.period_us = number > CLOCK_PERIOD_MAX_US ? CLOCK_PERIOD_MAX_US
								  : (uint32_t)number;
		break;
	case PARAMETER_PERIODIC:
		settings.sample_period_ns = number * NS_PER_SECOND;
		break;
	case PARAMETER_WINDOW:
		read_window(value);
		break;
	case PARAMETER_LIMIT:
		settings.limit_bytes = number << 20;
		break;
	case PARAMETER_SAMPLE_SIGNAL:
		settings.sample_signal = (int)number;
		break;
	case PARAMETER_DIRECTORY:
		read_directory(value);
		break;
	case PARAMETER_PAUSE_SIGNAL:
		read_pause_signal(value);
		break;
	case PARAMETER_FOLLOW:
		settings.follow = (int)number;
		break;
	case PARAMETER_COUNTERS:
		read_counters(value);
		break;
	case PARAMETER_DEPTH:
		settings.depth = number;
		break;
	case PARAMETER_HEAP:
		settings.has_heap = settings.is_tracing = true;
		settings.smallest_block = text_parse_decimal(value, &value);
		if (*value == '-')
			settings.largest_block = text_parse_decimal(value + 1, &value);
		break;
	case PARAMETER_SYNC:
		read_sync(value);
		break;
	case PARAMETER_JAVA:
		settings.has_java = true;
		break;
	case PARAMETER_IO:
		settings.has_io = settings.is_tracing = true;
		break;
	case PARAMETER_THREADS:
		read_threads(value);
		break;
	case PARAMETER_NO_OPENMP:
		settings.without_openmp = true;
		break;
	case PARAMETER_MPI:
		settings.has_mpi = settings.is_tracing = true;
		break;
	case PARAMETER_RANK:
		settings.is_rank = true;
		settings.rank = number;
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

static size_t read_depth(const char *name)
{
	const char *value = settings_variable(name);
	uint64_t depth = value		  ? text_parse_decimal(value, NULL)
			 : settings.depth ? settings.depth
					  : STACK_DEPTH_DEFAULT;

	if (depth < STACK_DEPTH_MIN)
		return STACK_DEPTH_MIN;
	return depth > STACK_DEPTH_MAX ? STACK_DEPTH_MAX : (size_t)depth;
}

/* "start:pid:MHz", and ":1" or ":0": whether a pause signal has paused the process that
 * made this one. */
void settings_read_run(void)
{
	const char *value = settings_variable(ENV_RUN);

	if (!value)
		return;
	settings.founder_start_ns = text_parse_decimal(value, &value);
	if (*value == ':')
		settings.founder_pid = (pid_t)text_parse_decimal(value + 1, &value);
	if (*value == ':')
		settings.clock_mhz = (unsigned)text_parse_decimal(value + 1, &value);
	if (*value == ':')
		settings.starts_paused = value[1] == '1';
}

/* The inode number of a removed directory may be reused for a new one, of another
 * user. */
bool settings_mean(const struct stat *directory)
{
	return !settings.has_directory || (directory->st_dev == settings.device &&
					   directory->st_ino == settings.inode &&
					   directory->st_uid == settings.owner);
}

bool settings_read(void)
{
	settings.experiment = keep_variable(ENV_EXPERIMENT);
	settings.parameters = keep_variable(ENV_PARAMETERS);
	settings.preload = keep_variable(ENV_PRELOAD);
	settings.follow_pattern = keep_variable(ENV_FOLLOW);
	if (!settings.experiment || !settings.parameters || settings.experiment[0] != '/')
		return false;
	read_parameters(settings.parameters);
	settings.java_depth = read_depth(ENV_JAVA_DEPTH);
	settings.depth = read_depth(ENV_STACK_DEPTH);
	return true;
}
