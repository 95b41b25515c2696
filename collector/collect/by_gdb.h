/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that run already, recorded by the collector commands of gdb. */
#ifndef COLLECTOR_COLLECT_BY_GDB_H
#define COLLECTOR_COLLECT_BY_GDB_H

#include "collector/launch/installation.h"
#include "collector/launch/settings.h"

/* Check the options that were given: some have no command. Returns CLI_OK, or CLI_USAGE
 * with a message printed. */
int by_gdb_check(const struct settings *settings);
/* Run gdb to begin the recording, and again to end it, when we are interrupted or at the
 * end of -t. With -n, print the commands instead. Returns a status. */
int by_gdb_record(const struct settings *settings,
		  const struct installation *installation);

#endif
