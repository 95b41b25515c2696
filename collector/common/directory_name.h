/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The name of a descendant's directory in the founder's: "_f1.er". The directory has a
 * hidden name until it is complete, so that readers see all of it or nothing, however the
 * recording process ends.
 */
#ifndef COLLECTOR_COMMON_DIRECTORY_NAME_H
#define COLLECTOR_COMMON_DIRECTORY_NAME_H

#include <stdbool.h>

#include "collector/base/text.h"
#include "collector/common/settings.h"
#include "libexpt/format.h"

/* Size of any such name, hidden or not, with the terminating zero. */
#define DIRECTORY_NAME_SIZE \
	(1 + LINEAGE_MAX + sizeof(EXPERIMENT_SUFFIX RECORDER_PART_SUFFIX))

/* False: the hidden name would be too long, so the directory has its final name from the
 * start. */
bool directory_name_can_hide(const char *lineage);
struct text directory_name(char buffer[DIRECTORY_NAME_SIZE], const char *lineage,
			   bool is_hidden);
/* Append the same name to a path. */
void directory_name_add(struct text *path, const char *lineage, bool is_hidden);
/* Append the path of a file of that experiment, relative to the founder's directory.
 * lineage: "" for the founder. */
void directory_name_add_file(struct text *path, const char *lineage, const char *name,
			     bool is_hidden);

#endif
