/* SPDX-License-Identifier: Apache-2.0 */
/* The recording of this process from its start to its end. */
#ifndef COLLECTOR_RECORDING_RECORDING_H
#define COLLECTOR_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

/* Record this process from now on, if -F wants that; the label is that of the first
 * sample. */
void recording_start(const char *label);
/* The process becomes a descendant: after fork, and when a raw clone is found out,
 * which began unseen. lineage may be NULL: it is not recorded. */
void collector_become_child(const char *lineage, bool began_unseen);

/* Nothing is handed out between these: an exec is under way. */
void collector_suspend(void);
void collector_resume(void);

/* The end of this experiment: last sample, files cut to length, archive. */
void collector_end(void);

#endif
