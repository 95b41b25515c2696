/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a recording as text, for -n and -v: a name and a value on each line. */
#ifndef COLLECTOR_LAUNCH_SHOW_H
#define COLLECTOR_LAUNCH_SHOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "collector/launch/experiment.h"

/* Begin with the version of the program. Returns NULL after a message. */
FILE *show_begin(const struct settings *settings);
/* Returns CLI_OK, or an exit status after a message. */
int show_end(FILE *to, const struct settings *settings);

/* Show a number with its unit, or another text for 0. */
void show_number(FILE *to, const char *what, uint64_t value, const char *unit,
		 const char *if_zero);
void show_switch(FILE *to, const char *what, bool is_on);
/* Show a command as it would be typed in a shell, with this path as its first word. */
void show_command(FILE *to, const char *what, char *const *words, const char *path);
void show_counters(FILE *to, const struct settings *settings);
/* Show the time in which events are recorded, unless that is all of it. */
void show_window(FILE *to, const struct settings *settings);
/* Show where the data go to. */
void show_destination(FILE *to, const struct settings *settings,
		      const struct experiment *experiment);

#endif
