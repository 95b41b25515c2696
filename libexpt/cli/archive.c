/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/archive.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/cli/cli.h"

#define ENV_ARGS		  "SP_ARCHIVE_ARGS"
#define ENV_COMMON_DIRECTORY	  "SP_ARCHIVE_COMMON_DIR"
#define ENV_COMMON_DIRECTORY_ALSO "GPROFNG_ARCHIVE_COMMON_DIR" /* gprofng's */

/* ---- options ---- */

static int set_mode(struct cli_archive *choice, const char *word)
{
	struct expt_error err;

	if (expt_archive_mode(&choice->mode, word, &err) < 0) {
		cli_failed(&err);
		return CLI_USAGE;
	}
	choice->has_mode = true;
	return CLI_OK;
}

static int set_sources(struct cli_archive *choice, const char *word)
{
	enum expt_archive_mode mode = EXPT_ARCHIVE_COPY;
	struct expt_error err;

	if (expt_archive_sources(&mode, word, &err) < 0) {
		cli_failed(&err);
		return CLI_USAGE;
	}
	choice->sources = word;
	return CLI_OK;
}

/* Append a pattern. The list always ends with NULL. */
static int add_pattern(struct cli_archive *choice, const char *pattern)
{
	struct expt_pattern *checked;
	struct expt_error err;

	if (expt_pattern_open(&checked, pattern, &err) < 0) {
		cli_failed(&err);
		return CLI_USAGE;
	}
	expt_pattern_close(checked);
	if (!array_add(&choice->patterns) ||
	    (choice->patterns.count == 1 && !array_add(&choice->patterns))) {
		cli_error("out of memory");
		return CLI_USAGE;
	}
	choice->patterns.items[choice->patterns.count - 2] = pattern;
	return CLI_OK;
}

static int set_store(struct cli_archive *choice, int letter, const char *path)
{
	bool is_relative = letter == 'r';

	if (!*path) {
		cli_error("option '-%c' needs the name of a directory", letter);
		return CLI_USAGE;
	}
	if (choice->store && choice->has_relative_links != is_relative) {
		cli_error("-d and -r are mutually exclusive");
		return CLI_USAGE;
	}
	if (choice->store)
		cli_warn("option '-%c' is given twice: using '%s'", letter, path);
	choice->store = path;
	choice->has_relative_links = is_relative;
	return CLI_OK;
}

int cli_archive_option(struct cli_archive *choice, int letter, const char *value)
{
	switch (letter) {
	case 'a':
		return set_mode(choice, value);
	case 'A':
		return set_mode(choice, "copy");
	case 'd':
	case 'r':
		return set_store(choice, letter, value);
	case 's':
		return set_sources(choice, value);
	case 'm':
		return add_pattern(choice, value);
	case 'n':
		choice->is_founder_only = true;
		return CLI_OK;
	case 'F':
		choice->renew = true;
		return CLI_OK;
	case 'q':
		choice->is_quiet = true;
		return CLI_OK;
	case 'v':
		choice->is_verbose = true;
		return CLI_OK;
	default:
		return CLI_USAGE;
	}
}

/* Returns the directory in which experiments share their copies by default. */
static const char *common_directory(void)
{
	static const char *const names[] = { ENV_COMMON_DIRECTORY,
					     ENV_COMMON_DIRECTORY_ALSO };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return value;
	}
	return NULL;
}

/* -s without -a starts from off, not from the standard mode. */
static enum expt_archive_mode mode_of(const struct cli_archive *choice,
				      enum expt_archive_mode standard)
{
	enum expt_archive_mode mode = choice->sources ? EXPT_ARCHIVE_OFF : standard;

	if (choice->has_mode)
		mode = choice->mode;
	if (choice->sources)
		expt_archive_sources(&mode, choice->sources, NULL);
	return mode;
}

void cli_archive_apply(const struct cli_archive *choice, enum expt_archive_mode standard,
		       struct expt_archive_options *options)
{
	options->mode = mode_of(choice, standard);
	options->patterns = choice->patterns.items;
	options->is_founder_only = choice->is_founder_only;
	options->renew = choice->renew;
	options->store = choice->store ? choice->store : common_directory();
	options->has_relative_links = choice->store && choice->has_relative_links;
}

void cli_archive_release(struct cli_archive *choice)
{
	array_release(&choice->patterns);
	free(choice->text);
	*choice = (struct cli_archive){ .text = NULL };
}

/* ---- the environment ---- */

/* Split text into words, after the name of the program. Returns an argv, or NULL. */
static char **split(char *text, int *count)
{
	char **words = calloc(strlen(text) / 2 + 3, sizeof(*words)), *rest = NULL;

	if (!words)
		return NULL;
	*count = 0;
	words[(*count)++] = (char *)cli_program();
	for (char *word = strtok_r(text, " \t\n", &rest); word;
	     word = strtok_r(NULL, " \t\n", &rest))
		words[(*count)++] = word;
	return words;
}

static bool parse_words(struct cli_archive *choice, int count, char **words)
{
	int letter, first = optind;
	bool is_right = true;

	optind = 0; /* restart the scan */
	opterr = 0;
	while (is_right && (letter = getopt(count, words, "+" CLI_ARCHIVE_LETTERS)) != -1)
		is_right = cli_archive_option(choice, letter, optarg) == CLI_OK;
	is_right = is_right && optind == count;
	optind = first;
	return is_right;
}

static void merge(struct cli_archive *choice, struct cli_archive *from)
{
	if (!choice->has_mode) {
		choice->has_mode = from->has_mode;
		choice->mode = from->mode;
	}
	if (!choice->sources)
		choice->sources = from->sources;
	if (choice->patterns.count == 0) {
		array_release(&choice->patterns);
		memcpy(&choice->patterns, &from->patterns, sizeof(choice->patterns));
		memset(&from->patterns, 0, sizeof(from->patterns));
	}
	if (!choice->store) {
		choice->store = from->store;
		choice->has_relative_links = from->has_relative_links;
	}
	choice->text = from->text;
	from->text = NULL;
	choice->is_founder_only |= from->is_founder_only;
	choice->renew |= from->renew;
	choice->is_quiet |= from->is_quiet;
	choice->is_verbose |= from->is_verbose;
}

int cli_archive_environment(struct cli_archive *choice)
{
	const char *value = getenv(ENV_ARGS);
	struct cli_archive from = { .text = value ? strdup(value) : NULL };
	char **words;
	int count, status = CLI_OK;

	if (!value)
		return CLI_OK;
	words = from.text ? split(from.text, &count) : NULL;
	if (!words)
		status = cli_error("out of memory");
	else if (parse_words(&from, count, words))
		merge(choice, &from);
	else
		status = cli_error("ignoring %s: '%s' are not options of er_archive",
				   ENV_ARGS, value);
	free(words);
	cli_archive_release(&from);
	return status;
}
