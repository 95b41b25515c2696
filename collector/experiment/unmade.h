/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings of descendants that have no experiment, in the founder's directory. */
#ifndef COLLECTOR_EXPERIMENT_UNMADE_H
#define COLLECTOR_EXPERIMENT_UNMADE_H

struct text;

/* Append a line to the founder's warnings. */
void unmade_warn(struct text *line);
/* Report that this descendant cannot have a directory, because of an errno. */
void unmade_report(int error);
/* Log a warning if a descendant with this lineage could not make its directory, as far as
 * that is known now. */
void unmade_foresee(const char *lineage);

#endif
