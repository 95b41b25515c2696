/* SPDX-License-Identifier: Apache-2.0 */
/* The environment as collect, or the exec wrapper of our parent, has made it. */

#include <collector/collector.h>
#include <collector/environment.h>
#include <collector/memory.h>
#include <collector/system.h>
#include <dlfcn.h>
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

/* "number", or "numberp" */
static void read_pause_signal(const char *value)
{
	settings.pause_signal = (int)text_parse_decimal(value, &value);
	settings.starts_paused = *value == 'p';
}

/* Up to the separator, which is passed by. */
static const char *take_word(const char **at, char separator)
{
	size_t length = 0;
	char *copy;

	while ((*at)[length] != separator && (*at)[length] != ';' && (*at)[length] != '\0')
		length++;
	copy = memory_get(length + 1);
	if (copy != NULL)
		memcpy(copy, *at, length);
	*at += length + ((*at)[length] == separator);
	return copy != NULL ? copy : "";
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
	case PARAMETER_PAUSE_SIGNAL:
		read_pause_signal(value);
		break;
	case PARAMETER_FOLLOW:
		settings.follow = (int)number;
		break;
	case PARAMETER_COUNTERS:
		read_counters(value);
		break;
	case PARAMETER_HEAP:
		settings.has_heap = settings.is_tracing = true;
		break;
	case PARAMETER_SYNC:
		settings.has_sync = settings.is_tracing = true;
		settings.sync_threshold_us = *value == '-' ? SYNC_CALIBRATE
							   : (int32_t)number;
		break;
	case PARAMETER_IO:
		settings.has_io = settings.is_tracing = true;
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

/* "start:pid:MHz", and ":1" or ":0": whether a pause signal has paused who made the process. */
static void read_run(const char *value)
{
	settings.founder_start_ns = text_parse_decimal(value, &value);
	if (*value == ':')
		settings.founder_pid = (pid_t)text_parse_decimal(value + 1, &value);
	if (*value == ':')
		settings.clock_mhz = (unsigned)text_parse_decimal(value + 1, &value);
	if (*value == ':')
		settings.starts_paused = value[1] == '1';
}

/* Started by hand, with LD_PRELOAD alone. */
static const char *own_path(void)
{
	Dl_info info;

	return dladdr(&settings, &info) != 0 && info.dli_fname != NULL
		       ? keep(info.dli_fname)
		       : "";
}

bool environment_read(void)
{
	const char *lineage = getenv(ENV_LINEAGE), *run = getenv(ENV_RUN);
	const char *founder = getenv(ENV_FOUNDER);

	settings.experiment = keep_variable(ENV_EXPERIMENT);
	settings.parameters = keep_variable(ENV_PARAMETERS);
	settings.preload = keep_variable(ENV_PRELOAD);
	if (settings.preload == NULL)
		settings.preload = own_path();
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

static bool is_ours(const char *entry)
{
	return strncmp(entry, ENV_PREFIX, sizeof(ENV_PREFIX) - 1) == 0;
}

static bool is_preload(const char *entry)
{
	return strncmp(entry, LD_PRELOAD, sizeof(LD_PRELOAD) - 1) == 0;
}

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

/* Take our libraries out of the list, in place; false: there is no list without us. What the
 * program had before stays as it was, letter by letter. */
static bool trim_preload(char *list)
{
	size_t ours = settings.preload != NULL ? strlen(settings.preload) : 0;
	char *from = list, *to = list;

	if (ours > 0 && strncmp(list, settings.preload, ours) == 0 &&
	    is_separator(list[ours])) {
		memmove(list, list + ours + 1, strlen(list + ours + 1) + 1);
		return true;
	}
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
		if (is_ours(*from))
			continue;
		if (is_preload(*from) && !trim_preload(*from + sizeof(LD_PRELOAD) - 1))
			continue;
		*to++ = *from;
	}
	if (to != NULL)
		*to = NULL;
}

/* ---- completing ---- */

#define OWN_ENTRIES 7

bool environment_is_taken(char *const envp[])
{
	for (; envp != NULL && *envp != NULL; envp++)
		if (strncmp(*envp, ENV_EXPERIMENT "=", sizeof(ENV_EXPERIMENT)) == 0)
			return true;
	return false;
}

size_t environment_entries(char *const envp[])
{
	size_t count = OWN_ENTRIES + 1;

	for (; envp != NULL && *envp != NULL; envp++)
		count++;
	return count;
}

size_t environment_text_size(char *const envp[])
{
	size_t size = 512 + strlen(settings.experiment) + strlen(settings.parameters) +
		      2 * strlen(settings.preload) + LINEAGE_MAX;

	if (settings.follow_pattern != NULL)
		size += strlen(settings.follow_pattern);
	for (; envp != NULL && *envp != NULL; envp++)
		if (is_preload(*envp))
			size += strlen(*envp);
	return size;
}

static char *add_entry(struct text *text, const char *name, const char *value)
{
	char *entry = text->start + text->length;

	text_add(text, name);
	text_add(text, "=");
	text_add(text, value);
	text_add_bytes(text, "", 1);
	return entry;
}

static char *add_preload(struct text *text, const char *former)
{
	char *entry = text->start + text->length;

	text_add(text, LD_PRELOAD);
	text_add(text, settings.preload);
	if (former != NULL) {
		text_add(text, ":");
		text_add(text, former + sizeof(LD_PRELOAD) - 1);
	}
	text_add_bytes(text, "", 1);
	return entry;
}

static char *add_run(struct text *text)
{
	char *entry = text->start + text->length;

	text_add(text, ENV_RUN "=");
	text_add_decimal(text, (int64_t)settings.founder_start_ns);
	text_add(text, ":");
	text_add_decimal(text, settings.founder_pid);
	text_add(text, ":");
	text_add_decimal(text, settings.clock_mhz);
	if (settings.pause_signal != 0)
		text_add(text, atomic_load(&process.is_paused) ? ":1" : ":0");
	text_add_bytes(text, "", 1);
	return entry;
}

char **environment_complete(char **entries, char *buffer, size_t size, char *const envp[],
			    const char *lineage)
{
	struct text text = text_on(buffer, size);
	char **to = entries;
	bool has_preload = false;

	for (; envp != NULL && *envp != NULL; envp++) {
		if (is_ours(*envp))
			continue;
		if (is_preload(*envp) && !has_preload) {
			has_preload = true;
			*to++ = add_preload(&text, *envp);
		} else {
			*to++ = *envp;
		}
	}
	if (!has_preload)
		*to++ = add_preload(&text, NULL);
	*to++ = add_entry(&text, ENV_EXPERIMENT, settings.experiment);
	*to++ = add_entry(&text, ENV_PARAMETERS, settings.parameters);
	*to++ = add_entry(&text, ENV_PRELOAD, settings.preload);
	*to++ = add_entry(&text, ENV_LINEAGE, lineage);
	*to++ = add_run(&text);
	if (settings.follow_pattern != NULL)
		*to++ = add_entry(&text, ENV_FOLLOW, settings.follow_pattern);
	*to = NULL;
	return entries;
}
