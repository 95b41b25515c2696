/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ER_PRINT_DATA_COMMANDS_H
#define ER_PRINT_DATA_COMMANDS_H

#include "er_print/command/command.h"

extern const struct command data_commands[];

#endif
