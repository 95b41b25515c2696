/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ER_PRINT_FILTERS_COMMANDS_H
#define ER_PRINT_FILTERS_COMMANDS_H

#include "er_print/command/command.h"

extern const struct command filter_commands[];
extern const struct command index_commands[];
extern const struct command index_command; /* of types that users define */

#endif
