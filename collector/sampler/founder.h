/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment of the founder, of which all that is made here becomes a part. */
#ifndef COLLECTOR_SAMPLER_FOUNDER_H
#define COLLECTOR_SAMPLER_FOUNDER_H

#include <sys/types.h>

/* Find it by the settings. 0, or a negative errno. */
int founder_open(void);
/* Make a descendant's directory, under a hidden name if that is not too long. A
 * descriptor, or a negative errno. */
int founder_make_directory(const char *lineage);
/* It is whole: give it its name, if it has not got it. 0, or a negative errno. */
int founder_show_directory(const char *lineage);
/* It is empty again, and was not shown. */
void founder_remove_directory(const char *lineage);
/* The founder, when it ends, waits for the experiments of processes that have ended. */
void founder_hold(pid_t pid);
void founder_release(pid_t pid);
/* A descendant cannot be made: say so where the founder's reader looks. */
void founder_warn(const char *lineage, int error);

/* The archive of a process that the founder does not wait for. */
void founder_archive(const char *lineage, pid_t pid);

#endif
