/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/collect/mpi.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector/launch/experiment.h"
#include "libexpt/base/number.h"
#include "libexpt/base/time.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define RANK_MAX 9999999 /* names of 12 letters at most */

/* ---- options ---- */

/* The libraries of these names have one of two interfaces. */
static const struct {
	const char *word;
	bool has_versions; /* CT8.2 */
	enum mpi mpi;
} names[] = {
	{ "off", false, MPI_OFF },	   { "auto", false, MPI_ANY },
	{ "OPENMPI", false, MPI_OPENMPI }, { "OMPT", true, MPI_OPENMPI },
	{ "CT", true, MPI_OPENMPI },	   { "MPICH", true, MPI_MPICH },
	{ "MVAPICH2", false, MPI_MPICH },  { "INTEL", false, MPI_MPICH },
	{ "PLATFORM", false, MPI_MPICH },
};

static bool is_version(const char *text)
{
	return text[strspn(text, "0123456789.")] == '\0';
}

int mpi_set(struct settings *settings, const char *value)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i].word);

		if (strncmp(value, names[i].word, length) == 0 &&
		    (names[i].has_versions ? is_version(value + length)
					   : value[length] == '\0')) {
			settings->mpi = names[i].mpi;
			return CLI_OK;
		}
	}
	return cli_error(
		"-M: invalid argument '%s': use OPENMPI, MPICH, MVAPICH2, INTEL, "
		"PLATFORM, CT, OMPT, auto or off",
		value);
}

int mpi_set_tracing(struct settings *settings, const char *value)
{
	settings->has_mpi = strcmp(value, "on") == 0;
	settings->leaves_mpi = strcmp(value, "off") == 0;
	if (settings->has_mpi || settings->leaves_mpi)
		return CLI_OK;
	return cli_error("-m: invalid argument '%s': use on or off", value);
}

/* Returns what is after a number and a colon, or NULL. */
static const char *take_number(uint64_t *value, const char *text)
{
	const char *colon = text ? strchr(text, ':') : NULL;
	char number[24];

	if (!colon || colon - text >= (long)sizeof(number))
		return NULL;
	memcpy(number, text, (size_t)(colon - text));
	number[colon - text] = '\0';
	return number_u64(value, number) ? colon + 1 : NULL;
}

int mpi_set_rank(struct settings *settings, const char *value)
{
	const char *colon = strchr(value, ':');
	uint64_t process = 0;
	const char *name;

	name = take_number(&process, colon ? colon + 1 : NULL);
	name = take_number(&settings->rank.start_ns, name);
	if (!name || name[0] != '/' || process > INT_MAX)
		return cli_error("--rank: invalid argument '%s'", value);
	settings->rank.host = value;
	settings->rank.host_length = (size_t)(colon - value);
	settings->rank.founder = (pid_t)process;
	settings->rank.experiment = name;
	return CLI_OK;
}

/* ---- the rank ---- */

const char *mpi_rank_of_environment(void)
{
	static const char *const variables[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
						 "PMI_RANK", "SLURM_PROCID" };

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);
		uint64_t rank;

		if (value && number_u64(&rank, value) && rank <= RANK_MAX)
			return value;
	}
	return NULL;
}

static bool is_on_this_host(const struct settings *settings)
{
	char host[HOST_NAME_MAX + 1] = "";

	gethostname(host, sizeof(host));
	return strlen(host) == settings->rank.host_length &&
	       strncmp(host, settings->rank.host, settings->rank.host_length) == 0;
}

pid_t mpi_founder(const struct settings *settings)
{
	return is_on_this_host(settings) ? settings->rank.founder : 0;
}

bool mpi_has_founder(const struct settings *settings)
{
	return is_on_this_host(settings) ||
	       access(settings->rank.experiment, F_OK) == 0 || errno != ENOENT;
}

char *mpi_name_of_rank(const struct settings *settings)
{
	const char *name = settings->rank.experiment;
	size_t length = strlen(name), suffix = strlen(EXPERIMENT_SUFFIX);
	char *result;

	if (length > suffix && strcmp(name + length - suffix, EXPERIMENT_SUFFIX) == 0)
		length -= suffix;
	return asprintf(&result, "%.*s.%s" EXPERIMENT_SUFFIX, (int)length, name,
			settings->rank.number) < 0
		       ? NULL
		       : result;
}

/* The clock of another host has another origin. */
static uint64_t start_ns(const struct settings *settings)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return is_on_this_host(settings) ? settings->rank.start_ns : timespec_ns(&now);
}

int mpi_become_rank(const struct settings *settings)
{
	char run[64], lineage[32];

	snprintf(run, sizeof(run), "%lu:%d:0%s", (unsigned long)start_ns(settings),
		 (int)mpi_founder(settings),
		 settings->pause_signal && !settings->starts_recording ? ":1" : "");
	snprintf(lineage, sizeof(lineage), MPI_RANK_PREFIX "%s", settings->rank.number);
	if (setenv(ENV_RUN, run, 1) < 0 || setenv(ENV_LINEAGE, lineage, 1) < 0)
		return cli_error("out of memory");
	return CLI_OK;
}

/* ---- the launcher ---- */

static size_t find_program(char *const *words)
{
	size_t i = 0;

	while (words[i] && strcmp(words[i], "--") != 0)
		i++;
	return words[i] && words[i + 1] ? i : 0;
}

/* Launchers start several programs, each after a ':'. Others pass it on. */
static void warn_of_others(char *const *words)
{
	bool is_recorded = true;

	for (; *words; words++) {
		if (strcmp(*words, "--") == 0)
			is_recorded = true;
		if (strcmp(*words, ":") != 0)
			continue;
		if (!is_recorded)
			break;
		is_recorded = false;
	}
	if (!is_recorded)
		cli_warn("-M: a program after ':' is not recorded: there is no '--' "
			 "before it");
}

int mpi_check(struct settings *settings)
{
	if (settings->rank.experiment) {
		settings->rank.number = mpi_rank_of_environment();
		if (!settings->rank.number)
			return cli_error("--rank: the launcher has set no rank: neither "
					 "OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK nor "
					 "SLURM_PROCID");
		return CLI_OK;
	}
	if (settings->mpi == MPI_OFF && settings->has_mpi && !mpi_rank_of_environment())
		return cli_error("-m on requires -M, or a launcher that starts collect") +
		       1;
	if (settings->mpi == MPI_OFF)
		return CLI_OK;
	if (settings->action != ACTION_RECORD || settings->stops_after_exec)
		return cli_error("-M requires a launcher to start, and no -x") + 1;
	if (find_program(settings->target) == 0)
		return cli_error("-M: there is no '--' before the program, as in "
				 "'collect -M OPENMPI mpirun -np 2 -- ./a.out'") +
		       1;
	warn_of_others(settings->target);
	settings->has_mpi = !settings->leaves_mpi;
	return CLI_OK;
}

static void add_word(struct strbuf *words, const char *word)
{
	strbuf_add_text(words, word);
	strbuf_add_char(words, '\0');
}

/* Options about the experiment as a whole are the founder's. */
static bool is_for_ranks(char letter)
{
	return !strchr("MmodgCO", letter);
}

static void add_options(struct strbuf *words, const struct settings *settings)
{
	char option[] = "-?";

	for (size_t i = 0; i < settings->given_count; i++) {
		option[1] = settings->given[i].letter;
		if (!is_for_ranks(option[1]))
			continue;
		add_word(words, option);
		add_word(words, settings->given[i].value);
	}
	if (settings->has_mpi) {
		add_word(words, "-m");
		add_word(words, "on");
	}
}

static int add_collect(struct strbuf *words, const struct settings *settings,
		       const struct experiment *experiment)
{
	char self[PATH_MAX], host[HOST_NAME_MAX + 1] = "";
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct timespec now;

	if (length <= 0)
		return cli_error("cannot find the program file of collect");
	self[length] = '\0';
	gethostname(host, sizeof(host));
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	add_word(words, self);
	add_word(words, "--rank");
	strbuf_printf(words, "%s:%d:%lu:%s", host, (int)getpid(),
		      (unsigned long)timespec_ns(&now), experiment->absolute);
	strbuf_add_char(words, '\0');
	add_options(words, settings);
	add_word(words, "--");
	return CLI_OK;
}

static size_t count_words(const struct strbuf *words)
{
	size_t count = 0;

	for (size_t i = 0; i < words->length; i++)
		count += words->text[i] == '\0';
	return count;
}

/* Split the text at its NULs. Returns NULL if out of memory. */
static char **list_words(struct strbuf *words)
{
	size_t count = count_words(words);
	char **list = words->failed ? NULL : calloc(count + 1, sizeof(*list));
	char *word = words->text;

	for (size_t i = 0; list && i < count; i++) {
		list[i] = word;
		word += strlen(word) + 1;
	}
	return list;
}

int mpi_launcher(struct settings *launcher, struct strbuf *words,
		 const struct settings *settings, const struct experiment *experiment)
{
	bool is_program = false;
	int status;

	*launcher = *settings;
	launcher->clock_period_us = 0;
	launcher->counters = (struct counter_list){ 0 };
	launcher->has_heap = launcher->has_sync = false;
	launcher->has_io = launcher->has_mpi = false;
	launcher->has_deadlocks = launcher->has_races = false;
	launcher->java = (struct java){ 0 };
	launcher->follow = 0;
	/* Launchers pass on signals to the ranks. */
	launcher->sample_signal = launcher->pause_signal = 0;
	launcher->has_window = false;
	for (char **word = settings->target; *word; word++) {
		if (is_program || strcmp(*word, "--") != 0) {
			add_word(words, *word);
			is_program = is_program && strcmp(*word, ":") != 0;
			continue;
		}
		status = add_collect(words, settings, experiment);
		if (status != CLI_OK)
			return status;
		is_program = true;
	}
	launcher->target = list_words(words);
	return launcher->target ? CLI_OK : cli_error("out of memory");
}
