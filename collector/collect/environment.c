/* SPDX-License-Identifier: Apache-2.0 */
/* Environment variables that pass the settings to the collector; see format.h. */
#include "collector/collect/environment.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

int installation_find(struct installation *installation)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	*installation = (struct installation){};
	if (length < 0)
		return cli_error("cannot locate the collect program: %s",
				 strerrordesc_np(errno));
	self[length] = '\0';
	slash = strrchr(self, '/');
	*slash = '\0';
	if (asprintf(&installation->archiver, "%s/er_archive", self) < 0 ||
	    asprintf(&installation->remover, "%s/er_rm", self) < 0)
		return cli_error("out of memory");
	slash = strrchr(self, '/');
	*slash = '\0';
	if (asprintf(&installation->readme, "%s/share/doc/erkit/README.md", self) < 0 ||
	    asprintf(&installation->plugins, "%s/lib/erkit", self) < 0)
		return cli_error("out of memory");
	/* The dynamic loader splits LD_PRELOAD there and knows no quoting. */
	if (strpbrk(installation->plugins, " :"))
		return cli_error(
			"cannot preload from '%s': its path contains a blank or a colon",
			installation->plugins);
	return CLI_OK;
}

void installation_release(struct installation *installation)
{
	free(installation->plugins);
	free(installation->archiver);
	free(installation->remover);
	free(installation->readme);
	*installation = (struct installation){};
}

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
		strbuf_printf(&text, "%c:%d,n;", PARAMETER_SYNC,
			      settings->sync_threshold_us);
	if (settings->has_io)
		strbuf_printf(&text, "%c:;", PARAMETER_IO);
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

static int add_library(struct strbuf *list, const struct installation *installation,
		       const char *name)
{
	size_t start = list->length ? list->length + 1 : 0;

	strbuf_printf(list, "%s%s/%s", start ? " " : "", installation->plugins, name);
	if (access(strbuf_text(list) + start, R_OK) < 0)
		return cli_error("cannot read '%s': %s", strbuf_text(list) + start,
				 strerrordesc_np(errno));
	return CLI_OK;
}

/* Watchpoints need to know which blocks there are. */
static bool watches(const struct counter_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (counter_is_watch(&list->items[i]))
			return true;
	return false;
}

/* List the libraries to preload for these kinds of data, libcollector.so first: the
 * others need it. */
static int list_libraries(struct strbuf *list, const struct settings *settings,
			  const struct installation *installation)
{
	const struct {
		bool is_wanted;
		const char *name;
	} libraries[] = {
		{ true, COLLECTOR_LIBRARY },
		{ settings->has_heap || watches(&settings->counters),
		  COLLECTOR_HEAP_LIBRARY },
		{ settings->has_sync, COLLECTOR_SYNC_LIBRARY },
		{ settings->has_io, COLLECTOR_IO_LIBRARY },
	};
	int status = CLI_OK;

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (libraries[i].is_wanted && status == CLI_OK)
			status = add_library(list, installation, libraries[i].name);
	return status;
}

static bool is_among(const char *libraries, const char *word, size_t length)
{
	while (*libraries) {
		size_t n = strcspn(libraries, " ");

		if (n == length && memcmp(libraries, word, n) == 0)
			return true;
		libraries += n + (libraries[n] != '\0');
	}
	return false;
}

/* Put collect's libraries before those that the user preloads, but after the run-time of
 * a sanitizer; drop entries that are collect's already. */
static char *preload_list(const char *libraries, const char *sanitizer)
{
	struct strbuf list = STRBUF_INIT;
	const char *former = getenv("LD_PRELOAD");

	if (sanitizer[0] != '\0')
		strbuf_printf(&list, "%s ", sanitizer);
	else if (former && sanitizer_length(former) > 0)
		strbuf_printf(&list, "%.*s ", (int)sanitizer_length(former), former);
	strbuf_add_text(&list, libraries);
	while (former && *former) {
		size_t length = strcspn(former, " :");

		if (length > 0 && is_among(libraries, former, length))
			cli_warn("LD_PRELOAD already contains '%.*s'", (int)length,
				 former);
		else if (length > 0)
			strbuf_printf(&list, " %.*s", (int)length, former);
		former += length + (former[length] != '\0');
	}
	return strbuf_steal(&list);
}

static bool set_all(const struct settings *settings, const char *parameters,
		    const char *libraries, const char *preload,
		    const struct experiment *experiment, pid_t founder)
{
	char pid[16], used[24];
	cleanup_free char *follow = NULL;
	struct timespec time;

	if (settings->follow == FOLLOW_MATCHING &&
	    asprintf(&follow, "^(%s)$", settings->follow_regex) < 0)
		return false;
	snprintf(pid, sizeof(pid), "%d", (int)founder);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	snprintf(used, sizeof(used), "%lld%09ld", (long long)time.tv_sec, time.tv_nsec);
	return setenv(ENV_EXPERIMENT, experiment->absolute, 1) == 0 &&
	       setenv(ENV_PARAMETERS, parameters, 1) == 0 &&
	       setenv(ENV_FOUNDER, pid, 1) == 0 &&
	       setenv(ENV_FROM_COLLECT, "1", 1) == 0 &&
	       setenv(ENV_CPU_TIME, used, 1) == 0 &&
	       setenv(ENV_PRELOAD, libraries, 1) == 0 &&
	       setenv("LD_PRELOAD", preload, 1) == 0 &&
	       (follow ? setenv(ENV_FOLLOW, follow, 1) : unsetenv(ENV_FOLLOW)) == 0 &&
	       unsetenv(ENV_LINEAGE) == 0;
}

int environment_set(const struct settings *settings,
		    const struct installation *installation,
		    const struct experiment *experiment, const struct target *target,
		    pid_t founder)
{
	cleanup_free char *parameters =
		environment_parameters(settings, installation, experiment);
	cleanup_strbuf struct strbuf libraries = STRBUF_INIT;
	cleanup_free char *preload = NULL;
	int status = list_libraries(&libraries, settings, installation);

	if (status != CLI_OK)
		return status;
	preload = preload_list(strbuf_text(&libraries), target->sanitizer);
	if (!parameters || !preload ||
	    !set_all(settings, parameters, strbuf_text(&libraries), preload, experiment,
		     founder))
		return cli_error("out of memory");
	return CLI_OK;
}
