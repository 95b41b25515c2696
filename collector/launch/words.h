/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of a command line in the form of collect, which is older than getopt: the
 * value is always the next word, letters without a value may be combined, and it is an
 * error to give an option twice.
 */
#ifndef COLLECTOR_LAUNCH_WORDS_H
#define COLLECTOR_LAUNCH_WORDS_H

#include "collector/launch/settings.h"

/* An option with a value. Letters with the same slot exclude each other. All functions
 * return a status of libexpt/cli/cli.h; errors have been printed. */
struct option_value {
	char letter;
	char slot; /* 0: may be repeated */
	int (*set)(struct settings *settings, const char *value);
};

struct option_flag {
	char letter;
	void (*set)(struct settings *settings);
};

struct option_long {
	const char *word;
	bool has_value;
	int (*set)(struct settings *settings, const char *value);
};

/* The options of a program. An entry without a letter or a word ends each table. */
struct option_words {
	const struct option_value *values;
	const struct option_flag *flags;
	const struct option_long *longs;
};

/* Set the options, and as the target the first word that is none. */
int words_parse(struct settings *settings, char *argv[],
		const struct option_words *options, const char *usage);

#endif
