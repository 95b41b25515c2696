/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands. */
#ifndef ER_PRINT_COMMANDS_H
#define ER_PRINT_COMMANDS_H

#include "er_print/command.h"

extern const struct command commands[];	   /* ended by one without a name */
extern const struct command index_command; /* of types that users define */

#endif
