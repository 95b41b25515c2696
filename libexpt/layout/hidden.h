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

#define STAGE_NAME_SIZE 256	 /* NAME_MAX and the NUL: all names here are this large */
#define OWNER_FILE	".owner" /* in a stage where flock(2) does not work: its maker */

/* The directory and the name of path's last component, trailing slashes ignored. The
 * directory is followed through links, the name is not. */
int stage_split(int *parent, char *name, const char *path, struct expt_error *err);

/* ".NAME.", cut so that all that is appended fits; returns its length. */
size_t stage_hidden_prefix(char prefix[STAGE_NAME_SIZE], const char *final);
/* A new hidden name for final. */
int stage_hidden_name(char name[STAGE_NAME_SIZE], const char *final, const char *suffix);
bool stage_is_hidden_name(const char *name, const char *prefix, const char *suffix);

/* The hidden names of work in progress, for results that are single files: a new one, and
 * whether a name is one of those for final. */
int stage_part_name(char *name, const char *final);
bool stage_is_part_name(const char *name, const char *final);
/* The NAME of ".NAME.XXXXXX.part" and ".NAME.XXXXXX.del", maybe cut; false for other
 * names. */
bool stage_final_of(char *final, const char *name);
/* Whether a name is the hidden one of any experiment. */
bool stage_is_hidden(const char *name);

#endif
