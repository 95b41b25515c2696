/* SPDX-License-Identifier: Apache-2.0 */
/* The values of options that collect and er_kernel share. All return a status of
 * libexpt/cli/cli.h; errors have been printed. */
#ifndef COLLECTOR_LAUNCH_VALUES_H
#define COLLECTOR_LAUNCH_VALUES_H

#include "collector/launch/settings.h"

/* Parse on or off for the option. */
int value_switch(bool *is_on, const char *option, const char *value);

int value_clock(struct settings *settings, const char *value);
int value_counters(struct settings *settings, const char *value);
int value_sampling(struct settings *settings, const char *value);
int value_limit(struct settings *settings, const char *value);
int value_window(struct settings *settings, const char *value);
int value_follow(struct settings *settings, const char *value);
int value_archive(struct settings *settings, const char *value);
int value_name(struct settings *settings, const char *value);
int value_output(struct settings *settings, const char *value);
int value_directory(struct settings *settings, const char *value);
int value_group(struct settings *settings, const char *value);
int value_comment(struct settings *settings, const char *value);
int value_overwrite(struct settings *settings, const char *value);
int value_outfile(struct settings *settings, const char *value);

/* For options without a value. */
void value_dry_run(struct settings *settings);
void value_verbose(struct settings *settings);

#endif
