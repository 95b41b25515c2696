/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ER_PRINT_PROMPT_COMMANDS_H
#define ER_PRINT_PROMPT_COMMANDS_H

#include "er_print/command/command.h"

extern const struct command other_commands[];

#endif
