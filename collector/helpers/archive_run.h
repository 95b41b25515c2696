/* SPDX-License-Identifier: Apache-2.0 */
/* er_archive at the end of the run, in a child that the program cannot see. */
#ifndef COLLECTOR_HELPERS_ARCHIVE_RUN_H
#define COLLECTOR_HELPERS_ARCHIVE_RUN_H

/* Log the archive command that will run, or why none will. */
void archive_announce(void);
/* Run it. Call after the files are closed. */
void archive_run(void);

#endif
