/* SPDX-License-Identifier: Apache-2.0 */
/* Commands typed at a prompt. */
#ifndef ER_PRINT_PROMPT_INPUT_H
#define ER_PRINT_PROMPT_INPUT_H

#include "er_print/session/session.h"

/* Run them until the end of the input, or quit. An interrupt ends only the command. */
void run_prompt(struct session *session);

#endif
