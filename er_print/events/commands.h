/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ER_PRINT_EVENTS_COMMANDS_H
#define ER_PRINT_EVENTS_COMMANDS_H

#include "er_print/command/command.h"

extern const struct command memory_commands[];
extern const struct command io_commands[];
extern const struct command thread_commands[];
extern const struct command mpi_commands[];

#endif
