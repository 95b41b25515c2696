/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/words.h"

#include <string.h>

#include "libexpt/cli/cli.h"

static const struct option_value *find_option(const struct option_words *options,
					      const char *word)
{
	if (word[1] == '\0' || word[2] != '\0')
		return NULL;
	for (const struct option_value *option = options->values; option->letter;
	     option++)
		if (option->letter == word[1])
			return option;
	return NULL;
}

/* Returns the option of this slot among those given, or NULL. */
static const struct option_value *find_given(const struct option_words *options,
					     const struct settings *settings, char slot)
{
	for (size_t i = 0; i < settings->given_count; i++) {
		char word[] = { '-', settings->given[i].letter, '\0' };
		const struct option_value *option = find_option(options, word);

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
static bool set_flags(struct settings *settings, const struct option_words *options,
		      const char *letters)
{
	if (*letters == '\0')
		return false;
	for (; *letters; letters++) {
		const struct option_flag *flag = options->flags;

		while (flag->letter && flag->letter != *letters)
			flag++;
		if (!flag->letter)
			return false;
		flag->set(settings);
	}
	return true;
}

/* Returns 1 if the word is a long option, which is set, 0 if not, or -1 with a message
 * printed. */
static int take_long(struct settings *settings, const struct option_words *options,
		     char ***words)
{
	const struct option_long *option = options->longs;

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

int words_parse(struct settings *settings, char *argv[],
		const struct option_words *options, const char *usage)
{
	for (argv++; *argv && (*argv)[0] == '-'; argv++) {
		const struct option_value *option = find_option(options, *argv), *before;
		int status;

		if (strcmp(*argv, "--") == 0) {
			argv++;
			break;
		}
		if (!option && (status = take_long(settings, options, &argv)) != 0) {
			if (status < 0)
				return CLI_USAGE;
			continue;
		}
		if (!option && set_flags(settings, options, *argv + 1))
			continue;
		if (!option) {
			cli_error("unrecognized option '%s'", *argv);
			return cli_usage(usage);
		}
		if (!argv[1])
			return cli_error("option '-%c' requires an argument",
					 option->letter) +
			       1;
		before = option->slot ? find_given(options, settings, option->slot)
				      : NULL;
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
