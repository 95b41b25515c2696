/* SPDX-License-Identifier: Apache-2.0 */
/* The recording of this process from its start to its end. */
#ifndef COLLECTOR_RECORDING_RECORDING_H
#define COLLECTOR_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

/* Record this process from now on, if -F permits it. The label is that of the first
 * sample. */
void recording_start(const char *label);
/* Make the process a descendant: after fork, and when a raw clone is discovered, which
 * began unseen. It is not recorded if lineage is NULL. */
void collector_become_child(const char *lineage, bool began_unseen);

/* Hand out no room between these calls, because an exec is under way. */
void collector_suspend(void);
void collector_resume(void);

/* End this experiment: take the last sample, cut the files to length, make the archive.
 */
void collector_end(void);
/* Take what is left of an ended recording out of the process, which goes on. */
void recording_withdraw(void);
/* Do both for a recording that could not begin. */
void recording_abandon(void);
/* Returns the mask for a thread that had this one before it began, ended or abandoned a
 * recording. */
uint64_t recording_mask(uint64_t mask);
/* Make ready for another recording of this process, after the end of one. */
void recording_forget(void);

#endif
