/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hidden names, ".NAME.XXXXXX.part" and ".NAME.XXXXXX.del", of work in progress for the
 * final NAME beside them. In names too long for this, the end is replaced by '~' and a
 * checksum.
 */
#ifndef LIBEXPT_LAYOUT_HIDDEN_H
#define LIBEXPT_LAYOUT_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/expt.h"

#define STAGE_NAME_SIZE 256	 /* NAME_MAX and the NUL: size of all names here */
#define OWNER_FILE	".owner" /* names a stage's maker where flock(2) does not work */

/* Open the directory of path and copy its last component to name, ignoring trailing
 * slashes. Links are followed in the directory, but not for the name. */
int stage_split(int *parent, char *name, const char *path, struct expt_error *err);

/* Write ".NAME.", cut so that the rest fits; returns its length. */
size_t stage_hidden_prefix(char prefix[STAGE_NAME_SIZE], const char *final);
/* Choose a new hidden name for final. */
void stage_hidden_name(char name[STAGE_NAME_SIZE], const char *final, const char *suffix);
bool stage_is_hidden_name(const char *name, const char *prefix, const char *suffix);

/* The same for results that are single files: choose a new name of work in progress, and
 * check whether a name is one of those for final. */
void stage_part_name(char name[STAGE_NAME_SIZE], const char *final);
bool stage_is_part_name(const char *name, const char *final);
/* Get the NAME of ".NAME.XXXXXX.part" or ".NAME.XXXXXX.del", possibly cut; false for
 * other names. */
bool stage_final_name(char *final, const char *name);
/* Returns whether a name is the hidden one of any experiment. */
bool stage_is_hidden(const char *name);

#endif
