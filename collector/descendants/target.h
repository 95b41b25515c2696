/* SPDX-License-Identifier: Apache-2.0 */
/* The file that the program is about to execute: can it be recorded? */
#ifndef COLLECTOR_DESCENDANTS_TARGET_H
#define COLLECTOR_DESCENDANTS_TARGET_H

#include "collector/common/sanitizer.h"

enum target {
	TARGET_FOLLOWED,
	TARGET_MISSING,	   /* the exec will fail */
	TARGET_STATIC,	   /* no loader that would preload us */
	TARGET_PRIVILEGED, /* set-user-id, set-group-id or file capabilities */
	TARGET_FOREIGN,	   /* another machine, or another C library */
	TARGET_ELSEWHERE,  /* its loader would not find our libraries */
};

/* Inspect a file. path is relative to directory, as for execveat(); with path ""
 * directory is the file itself. sanitizer: the name of the run-time that it needs, or "".
 * Safe in a child of vfork. */
enum target target_inspect(int directory, const char *path,
			   char sanitizer[static SANITIZER_NAME_SIZE]);
/* The same for a name that is searched in PATH if it has no slash. found: its path,
 * unless NULL. */
struct text;
enum target target_inspect_in_path(const char *file, struct text *found,
				   char sanitizer[static SANITIZER_NAME_SIZE]);
/* Logged for a static program that cannot be sampled from outside either. */
#define TARGET_STATIC_GAP "statically linked, and sampling is not permitted"
/* Returns why it cannot be followed, for the log; NULL for the first two. */
const char *target_reason(enum target target);

#endif
