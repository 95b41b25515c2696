/* SPDX-License-Identifier: Apache-2.0 */
/* Commands typed at a prompt. */
#ifndef ER_PRINT_INPUT_H
#define ER_PRINT_INPUT_H

#include "er_print/script.h"

/* Run them until the end of the input, or quit. */
void run_prompt(struct session *session, script_command *run);

#endif
