/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our variables: read at init, taken out of the program's environment, and put back into
 * that of every image it starts.
 */
#ifndef COLLECTOR_ENVIRONMENT_H
#define COLLECTOR_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/base/text.h"

/* Read settings and process.lineage. False: we are not asked to record. */
bool environment_read(void);
/* CPU time of the process that is recorded already, by the image before this one. */
uint64_t environment_recorded_ns(void);
/* Take out what is ours, in place. */
void environment_hide(void);

/* The environment of an image that is to be recorded, made from the program's: entries
 * and text are the caller's, on its stack, with as much room as these say. envp may be
 * NULL. sanitizer: the run-time that the image needs, to be preloaded before our
 * libraries; "": none. */
size_t environment_entries(char *const envp[]);
size_t environment_text_size(char *const envp[]);
char **environment_complete(char **entries, char *text, size_t text_size,
			    char *const envp[], const char *lineage,
			    const char *sanitizer);
/* All that the process has used up to now is recorded, or never will be, but for some
 * time that the next image is to record: for this one, in an environment that
 * environment_complete() has made. */
void environment_set_recorded(char *const envp[], uint64_t passed_on_ns);
/* Only what is ours in it, without the preload: for a process of ours. */
void environment_own(char **entries, char *text, size_t text_size, const char *lineage);
/* Has the program made an environment for a recording of its own? */
bool environment_is_taken(char *const envp[]);

#endif
