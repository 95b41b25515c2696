/* SPDX-License-Identifier: Apache-2.0 */
/* er_archive at the end of the run, in a child that the program cannot see. */
#ifndef COLLECTOR_HELPERS_ARCHIVE_RUN_H
#define COLLECTOR_HELPERS_ARCHIVE_RUN_H

/* Say in the log what will be done, or why nothing. */
void archive_announce(void);
/* Do it, when the files are closed. */
void archive_run(void);

#endif
