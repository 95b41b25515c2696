/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The collector's variables: read at init, removed from the program's environment, and
 * put back into that of every image it starts.
 */
#ifndef COLLECTOR_PROCESS_ENVIRONMENT_H
#define COLLECTOR_PROCESS_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/base/text.h"

/* Reads settings and process.lineage. Returns false if this process is not to be
 * recorded. */
bool environment_read(void);
/* Returns the CPU time of this process that the image before this one has recorded. */
uint64_t environment_recorded_ns(void);
/* Remove our variables, in place. */
void environment_hide(void);

/* Build the environment of an image that is to be recorded from the program's. entries
 * and text are the caller's, on its stack, as large as the first two functions say. envp
 * may be NULL. sanitizer: the run-time that the image needs, to be preloaded before our
 * libraries; "" if none. */
size_t environment_entries(char *const envp[]);
size_t environment_text_size(char *const envp[]);
char **environment_complete(char **entries, char *text, size_t text_size,
			    char *const envp[], const char *lineage,
			    const char *sanitizer);
/* Note, in an environment made by environment_complete(), that all CPU time used up to
 * now is recorded or never will be, except passed_on_ns, which the next image is to
 * record. */
void environment_set_recorded(char *const envp[], uint64_t passed_on_ns);
/* Build an environment with our variables only, without the preload, for a helper of the
 * collector. */
void environment_own(char **entries, char *text, size_t text_size, const char *lineage);
/* Returns true if the program has made this environment for a recording of its own. */
bool environment_is_taken(char *const envp[]);

#endif
