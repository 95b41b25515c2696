/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect's options are older than getopt: the value is always the next word, letters
 * without a value may be combined, and it is an error to give an option twice.
 */
#include "collector/collect/options.h"

#include <string.h>

#include "collector/collect/by_gdb.h"
#include "collector/collect/messages.h"
#include "collector/collect/mpi.h"
#include "collector/collect/option_values.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

static const struct option_value *find_option(const char *word)
{
	if (word[1] == '\0' || word[2] != '\0')
		return NULL;
	for (const struct option_value *option = option_values; option->letter; option++)
		if (option->letter == word[1])
			return option;
	return NULL;
}

/* Returns the option of this slot among those given, or NULL. */
static const struct option_value *find_given(const struct settings *settings, char slot)
{
	for (size_t i = 0; i < settings->given_count; i++) {
		char word[] = { '-', settings->given[i].letter, '\0' };
		const struct option_value *option = find_option(word);

		if (option->slot == slot)
			return option;
	}
	return NULL;
}

static int refuse_second(char letter, char first)
{
	if (letter == first)
		return cli_error("option '-%c' is given twice", letter) + 1;
	return cli_error("-%c and -%c are mutually exclusive", first, letter) + 1;
}

/* Set the letters without a value in a word such as -nv. */
static bool set_flags(struct settings *settings, const char *letters)
{
	if (*letters == '\0')
		return false;
	for (; *letters; letters++) {
		if (*letters == 'n')
			settings->is_dry_run = true;
		else if (*letters == 'v')
			settings->is_verbose = true;
		else if (*letters == 'x')
			settings->stops_after_exec = true;
		else
			return false;
	}
	return true;
}

static int set_overwrites(struct settings *settings, const char *value)
{
	settings->overwrites = true;
	return CLI_OK;
}

static int set_outfile(struct settings *settings, const char *value)
{
	return messages_redirect(value);
}

static int set_prepare(struct settings *settings, const char *value)
{
	return set_process(settings, ACTION_PREPARE, "--prepare", value);
}

static int set_libraries(struct settings *settings, const char *value)
{
	return set_action(settings, ACTION_LIBRARIES);
}

static int set_archived(struct settings *settings, const char *value)
{
	settings->name = value;
	return set_action(settings, ACTION_ARCHIVE);
}

static int set_gdb(struct settings *settings, const char *value)
{
	settings->uses_gdb = true;
	return CLI_OK;
}

static const struct long_option {
	const char *word;
	bool has_value;
	int (*set)(struct settings *settings, const char *value);
} long_options[] = {
	{ "--overwrite", false, set_overwrites }, { "--outfile", true, set_outfile },
	{ "--prepare", true, set_prepare },	  { "--libraries", false, set_libraries },
	{ "--archive", true, set_archived },	  { "--gdb", false, set_gdb },
	{ "--rank", true, mpi_set_rank },	  {},
};

/* Returns 1 if the word is a long option, which is set, 0 if not, or -1 with a message
 * printed. */
static int take_long(struct settings *settings, char ***words)
{
	const struct long_option *option = long_options;

	while (option->word && strcmp(option->word, **words) != 0)
		option++;
	if (!option->word)
		return 0;
	if (option->has_value && !*++*words) {
		cli_error("option '%s' requires an argument", option->word);
		return -1;
	}
	return option->set(settings, **words) == CLI_OK ? 1 : -1;
}

static int note_given(struct settings *settings, char letter, const char *value)
{
	if (settings->given_count == GIVEN_MAX)
		return cli_error("too many options: at most %d", GIVEN_MAX);
	settings->given[settings->given_count].letter = letter;
	settings->given[settings->given_count++].value = value;
	return CLI_OK;
}

static int parse_words(struct settings *settings, char *argv[], const char *usage)
{
	for (argv++; *argv && (*argv)[0] == '-'; argv++) {
		const struct option_value *option = find_option(*argv), *before;
		int status;

		if (strcmp(*argv, "--") == 0) {
			argv++;
			break;
		}
		if (!option && (status = take_long(settings, &argv)) != 0) {
			if (status < 0)
				return CLI_USAGE;
			continue;
		}
		if (!option && set_flags(settings, *argv + 1))
			continue;
		if (!option) {
			cli_error("unrecognized option '%s'", *argv);
			return cli_usage(usage);
		}
		if (!argv[1])
			return cli_error("option '-%c' requires an argument",
					 option->letter) +
			       1;
		before = option->slot ? find_given(settings, option->slot) : NULL;
		if (before)
			return refuse_second(option->letter, before->letter);
		status = note_given(settings, option->letter, argv[1]);
		if (status == CLI_OK)
			status = option->set(settings, *++argv);
		if (status != CLI_OK)
			return CLI_USAGE;
	}
	settings->target = argv;
	if (settings->overwrites && !settings->name)
		return cli_error("--overwrite requires -o") + 1;
	return CLI_OK;
}

/* Refuse what a process that runs already cannot do, and programs to start beside it. */
static int check_action(struct settings *settings)
{
	int status = settings->uses_gdb ? by_gdb_check(settings) : CLI_OK;

	if (settings->action == ACTION_RECORD || status != CLI_OK)
		return status;
	if (*settings->target)
		return cli_error("unexpected program '%s'", *settings->target) + 1;
	if (settings->stops_after_exec)
		return cli_error("-x requires a program") + 1;
	if (settings->has_follow && settings->follow)
		cli_warn("ignoring -F: descendants of a process that runs already are "
			 "not recorded");
	settings->follow = 0;
	if (settings->action == ACTION_ATTACH &&
	    (settings->java.mode == JAVA_ON || settings->java.options))
		cli_warn("ignoring -j and -J: Java in a process that runs already is "
			 "recorded as native code");
	return CLI_OK;
}

int options_parse(struct settings *settings, char *argv[], const char *usage)
{
	int status;

	*settings = (struct settings){
		.clock_period_us = CLOCK_PERIOD_ON_US,
		.sample_seconds = SAMPLE_PERIOD_DEFAULT_S,
		.limit_mb = SIZE_LIMIT_DEFAULT_MB,
		.follow = FOLLOW_ALL,
		.archive_word = "on",
		.archive = EXPT_ARCHIVE_ON,
	};
	status = parse_words(settings, argv, usage);
	if (status != CLI_OK)
		return status;
	if (settings->action == ACTION_RECORD && !*settings->target) {
		cli_error("missing program to record");
		return cli_usage(usage);
	}
	status = check_action(settings);
	if (status == CLI_OK)
		status = mpi_check(settings);
	if (status != CLI_OK)
		return status;
	if (settings->java.options && settings->java.mode == JAVA_OFF)
		return cli_error("-J requires Java, which -j off leaves out") + 1;
	if (settings->sample_signal && settings->sample_signal == settings->pause_signal)
		return cli_error("-l and -y must use different signals") + 1;
	/* Counters replace the clock, unless both are requested. */
	if (settings->counters.count > 0 && !settings->has_clock)
		settings->clock_period_us = 0;
	if (settings->clock_period_us == 0 && settings->counters.count == 0 &&
	    !settings->has_heap && !settings->has_sync && !settings->has_io &&
	    !settings->has_mpi)
		cli_warn("no data requested: recording only samples");
	return CLI_OK;
}

void options_release(struct settings *settings)
{
	counters_release(&settings->counters);
	java_release(&settings->java);
}
