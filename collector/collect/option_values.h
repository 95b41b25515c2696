/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_COLLECT_OPTION_VALUES_H
#define COLLECTOR_COLLECT_OPTION_VALUES_H

struct settings;

/* An option with a value. Letters with the same slot exclude each other. */
struct option_value {
	char letter;
	char slot; /* 0: may be repeated */
	/* Returns a status of libexpt/cli/cli.h; errors have been printed. */
	int (*set)(struct settings *settings, const char *value);
};

/* Ends with an entry without a letter. */
#define OPTION_VALUES_MAX 32
extern const struct option_value option_values[];

#endif
