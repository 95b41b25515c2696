/* SPDX-License-Identifier: Apache-2.0 */
/* The directives of .er.rc files. */
#ifndef ER_PRINT_PROMPT_RC_H
#define ER_PRINT_PROMPT_RC_H

#include "er_print/session/session.h"

/* Run those of the system, of the home and of the current directory. */
void run_rc_files(struct session *session);

#endif
