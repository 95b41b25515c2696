/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the directory of a descendant is called, in the founder's: "_f1.er". It has a
 * hidden name until all is in it, so that whoever looks finds all or nothing, however the
 * recording process ends.
 */
#ifndef COLLECTOR_DIRECTORY_NAME_H
#define COLLECTOR_DIRECTORY_NAME_H

#include <stdbool.h>

#include "collector/base/text.h"
#include "collector/common/settings.h"
#include "libexpt/format.h"

/* Of every name, hidden or not, with its end. */
#define DIRECTORY_NAME_SIZE \
	(1 + LINEAGE_MAX + sizeof(EXPERIMENT_SUFFIX RECORDER_PART_SUFFIX))

/* False: the hidden name would be too long, and the directory has its own at once. */
bool directory_name_can_hide(const char *lineage);
struct text directory_name(char buffer[DIRECTORY_NAME_SIZE], const char *lineage,
			   bool is_hidden);
/* The same at the end of a path. */
void directory_name_add(struct text *path, const char *lineage, bool is_hidden);
/* A file of that experiment, seen from the founder's directory. lineage: "" for the
 * founder. */
void directory_name_add_file(struct text *path, const char *lineage, const char *name,
			     bool is_hidden);

#endif
