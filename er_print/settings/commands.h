/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ER_PRINT_SETTINGS_COMMANDS_H
#define ER_PRINT_SETTINGS_COMMANDS_H

#include "er_print/command/command.h"

extern const struct command metric_commands[];
extern const struct command output_commands[];
extern const struct command setting_commands[];
extern const struct command old_views[];

#endif
