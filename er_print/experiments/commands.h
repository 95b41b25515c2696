/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ER_PRINT_EXPERIMENTS_COMMANDS_H
#define ER_PRINT_EXPERIMENTS_COMMANDS_H

#include "er_print/command/command.h"

extern const struct command experiment_commands[];

#endif
