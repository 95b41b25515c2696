/* SPDX-License-Identifier: Apache-2.0 */
/* The founder's experiment, to which all experiments made here belong. */
#ifndef COLLECTOR_SAMPLER_FOUNDER_H
#define COLLECTOR_SAMPLER_FOUNDER_H

#include <sys/types.h>

/* Find it by the settings. Returns 0, or a negative errno. */
int founder_open(void);
/* Make a descendant's directory, under a hidden name if that is not too long. Returns a
 * descriptor, or a negative errno. */
int founder_make_directory(const char *lineage);
/* The directory is complete: give it its final name. Returns 0, or a negative errno. */
int founder_show_directory(const char *lineage);
/* Remove a directory that is empty again and was not shown. */
void founder_remove_directory(const char *lineage);
/* Hold a process: when the founder ends, it waits for held processes that have ended. */
void founder_hold(pid_t pid);
void founder_release(pid_t pid);
/* Report a descendant that cannot be made where the founder's readers look. */
void founder_warn(const char *lineage, int error);

/* Archive for a process that the founder does not wait for. */
void founder_archive(const char *lineage, pid_t pid);

#endif
