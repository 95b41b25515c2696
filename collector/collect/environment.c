/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that pass the settings to the collector; see format.h. */
#include "collector/collect/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collector/collect/mpi.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

static void add_counters(struct strbuf *text, const struct counter_list *list)
{
	if (list->count == 0)
		return;
	strbuf_printf(text, "%c:", PARAMETER_COUNTERS);
	for (size_t i = 0; i < list->count; i++) {
		const struct counter *counter = &list->items[i];

		strbuf_printf(text, "%s,%s,%d,%u,%lu,%lu,%lu,%lu,%u|", counter->name,
			      counter->internal, counter->cpu, counter->type,
			      (unsigned long)counter->config,
			      (unsigned long)counter->config1,
			      (unsigned long)counter->config2,
			      (unsigned long)counter->period,
			      (counter->is_user_only ? COUNTER_USER_ONLY : 0) |
				      (counter->has_address ? COUNTER_ADDRESS : 0) |
				      counter->precision << COUNTER_PRECISE_SHIFT);
	}
	strbuf_add_text(text, ";");
}

/* Identify the directory: another one may have its name when the program starts. */
static void add_directory(struct strbuf *text, const struct experiment *experiment)
{
	struct stat status;

	if (fstat(experiment->dir, &status) == 0)
		strbuf_printf(text, "%c:%lu:%lu:%lu;", PARAMETER_DIRECTORY,
			      (unsigned long)status.st_dev, (unsigned long)status.st_ino,
			      (unsigned long)status.st_uid);
}

/* Read as in the library: a value that is not a number is 0. */
uint64_t environment_stack_depth(void)
{
	const char *frames = getenv(ENV_STACK_DEPTH), *bytes = getenv(ENV_STACK_BYTES);
	long depth = STACK_DEPTH_DEFAULT;

	if (frames)
		depth = strtol(frames, NULL, 10);
	else if (bytes)
		depth = strtol(bytes, NULL, 10) / (long)sizeof(uint64_t);
	if (depth < STACK_DEPTH_MIN)
		return STACK_DEPTH_MIN;
	return depth > STACK_DEPTH_MAX ? STACK_DEPTH_MAX : (uint64_t)depth;
}

static void add_heap(struct strbuf *text, const struct settings *settings)
{
	strbuf_printf(text, "%c:", PARAMETER_HEAP);
	if (settings->smallest_block > 0 || settings->largest_block > 0)
		strbuf_printf(text, "%lu", (unsigned long)settings->smallest_block);
	if (settings->largest_block > 0)
		strbuf_printf(text, "-%lu", (unsigned long)settings->largest_block);
	strbuf_add_text(text, ";");
}

char *environment_parameters(const struct settings *settings,
			     const struct installation *installation,
			     const struct experiment *experiment)
{
	struct strbuf text = STRBUF_INIT;

	add_directory(&text, experiment);
	/* A path containing the separator cannot be passed; the archive is then made by
	 * hand. */
	if (!strchr(installation->archiver, ';'))
		strbuf_printf(&text, "%c:%s;", PARAMETER_ARCHIVER,
			      installation->archiver);
	strbuf_printf(&text, "%c:%s;", PARAMETER_VERSION, ERKIT_VERSION);
	if (settings->clock_period_us)
		strbuf_printf(&text, "%c:%lu;", PARAMETER_CLOCK,
			      (unsigned long)settings->clock_period_us);
	add_counters(&text, &settings->counters);
	if (getenv(ENV_STACK_BYTES))
		strbuf_printf(&text, "%c:%lu;", PARAMETER_DEPTH,
			      (unsigned long)environment_stack_depth());
	if (settings->has_heap)
		add_heap(&text, settings);
	if (settings->has_sync)
		strbuf_printf(&text, "%c:%d,%s%s;", PARAMETER_SYNC,
			      settings->sync_threshold_us,
			      settings->sync_scope & SYNC_SCOPE_NATIVE ? "n" : "",
			      settings->sync_scope & SYNC_SCOPE_JAVA ? "j" : "");
	if (settings->has_io)
		strbuf_printf(&text, "%c:;", PARAMETER_IO);
	if (settings->has_mpi)
		strbuf_printf(&text, "%c:;", PARAMETER_MPI);
	if (settings->number)
		strbuf_printf(&text, "%c:%s;", PARAMETER_RANK, settings->number);
	if (settings->has_races || settings->has_deadlocks)
		strbuf_printf(&text, "%c:%s", PARAMETER_THREADS,
			      settings->has_races ? "r" : "");
	if (settings->has_deadlocks)
		strbuf_printf(&text, "d%d", (int)settings->on_deadlock);
	if (settings->has_races || settings->has_deadlocks)
		strbuf_add_text(&text, ";");
	if (getenv(ENV_NO_OPENMP))
		strbuf_printf(&text, "%c:;", PARAMETER_NO_OPENMP);
	if (settings->java.agent)
		strbuf_printf(&text, "%c:1;", PARAMETER_JAVA);
	if (settings->has_window)
		strbuf_printf(&text, "%c:%lu:%lu;", PARAMETER_WINDOW,
			      (unsigned long)settings->window_start_ms,
			      (unsigned long)settings->window_end_ms);
	if (settings->sample_seconds)
		strbuf_printf(&text, "%c:%lu;", PARAMETER_PERIODIC,
			      (unsigned long)settings->sample_seconds);
	if (settings->limit_mb)
		strbuf_printf(&text, "%c:%lu;", PARAMETER_LIMIT,
			      (unsigned long)settings->limit_mb);
	if (settings->sample_signal)
		strbuf_printf(&text, "%c:%d;", PARAMETER_SAMPLE_SIGNAL,
			      settings->sample_signal);
	if (settings->pause_signal)
		strbuf_printf(&text, "%c:%d%s;", PARAMETER_PAUSE_SIGNAL,
			      settings->pause_signal,
			      settings->starts_recording ? "" : "p");
	if (settings->follow)
		strbuf_printf(&text, "%c:%d;", PARAMETER_FOLLOW, settings->follow);
	strbuf_printf(&text, "%c:%s;", PARAMETER_ARCHIVE,
		      expt_archive_mode_name(settings->archive));
	return strbuf_steal(&text);
}

static void add_variable(struct strbuf *list, const char *name, const char *value)
{
	strbuf_printf(list, "%s=%s", name, value);
	strbuf_add_char(list, '\0');
}

/* The expression must match all of a name. */
static void add_follow(struct strbuf *list, const char *regex)
{
	strbuf_printf(list, "%s=^(%s)$", ENV_FOLLOW, regex);
	strbuf_add_char(list, '\0');
}

int environment_list(struct strbuf *list, const struct settings *settings,
		     const struct installation *installation,
		     const struct experiment *experiment, pid_t founder)
{
	const char *depth = getenv(ENV_STACK_DEPTH);
	cleanup_free char *parameters =
		environment_parameters(settings, installation, experiment);
	cleanup_strbuf struct strbuf libraries = STRBUF_INIT;
	int status = installation_libraries(&libraries, installation, settings);
	char number[16];

	if (status != CLI_OK)
		return status;
	snprintf(number, sizeof(number), "%d", (int)founder);
	add_variable(list, ENV_EXPERIMENT, experiment->absolute);
	add_variable(list, ENV_PARAMETERS, parameters ? parameters : "");
	add_variable(list, ENV_FOUNDER, number);
	add_variable(list, ENV_FROM_COLLECT, "1");
	add_variable(list, ENV_PRELOAD, strbuf_text(&libraries));
	if (settings->follow == FOLLOW_MATCHING)
		add_follow(list, settings->follow_regex);
	if (depth)
		add_variable(list, ENV_STACK_DEPTH, depth);
	strbuf_add_char(list, '\0');
	return parameters && !list->failed && !libraries.failed
		       ? CLI_OK
		       : cli_error("out of memory");
}

/* Set a variable of the list: NAME=VALUE. */
static bool set_variable(char *entry)
{
	char *value = strchr(entry, '=');

	*value = '\0';
	return setenv(entry, value + 1, 1) == 0;
}

/* Put the variables of the list into the environment, and remove those that are not in
 * it.
 */
static bool set_list(const struct strbuf *list)
{
	bool is_set = unsetenv(ENV_FOLLOW) == 0 && unsetenv(ENV_LINEAGE) == 0;
	size_t length;

	for (char *entry = list->text; *entry && is_set; entry += length) {
		length = strlen(entry) + 1;
		is_set = set_variable(entry);
	}
	return is_set;
}

/* Tell how much CPU time this process has used before it executes the program. */
static bool set_cpu_time(void)
{
	struct timespec time;
	char used[24];

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	snprintf(used, sizeof(used), "%lld%09ld", (long long)time.tv_sec, time.tv_nsec);
	return setenv(ENV_CPU_TIME, used, 1) == 0;
}

int environment_set(const struct settings *settings,
		    const struct installation *installation,
		    const struct experiment *experiment, const struct target *target,
		    pid_t founder)
{
	cleanup_strbuf struct strbuf list = STRBUF_INIT;
	cleanup_free char *preload = NULL;
	int status = environment_list(&list, settings, installation, experiment, founder);

	if (status != CLI_OK)
		return status;
	if (!set_list(&list) || !set_cpu_time())
		return cli_error("out of memory");
	if (settings->rank.experiment && mpi_become_rank(settings) != CLI_OK)
		return CLI_FAILED;
	preload = installation_preload(getenv(ENV_PRELOAD), target->sanitizer);
	if (!preload || setenv("LD_PRELOAD", preload, 1) < 0)
		return cli_error("out of memory");
	return CLI_OK;
}
