/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the commands in commands.c. words[0] is the name as given. They return
 * -1 if the command failed, which has been reported. */
#ifndef ER_PRINT_FUNCTIONS_PRIVATE_H
#define ER_PRINT_FUNCTIONS_PRIVATE_H

#include "er_print/session/session.h"

int run_functions(struct session *session, int count, char **words);
int run_lines(struct session *session, int count, char **words);
int run_pcs(struct session *session, int count, char **words);
int run_fsingle(struct session *session, int count, char **words);
int run_fsummary(struct session *session, int count, char **words);
int run_lsummary(struct session *session, int count, char **words);
int run_psummary(struct session *session, int count, char **words);
int run_source(struct session *session, int count, char **words);
int run_disasm(struct session *session, int count, char **words);
int run_calltree(struct session *session, int count, char **words);
int run_cprepend(struct session *session, int count, char **words);
int run_cappend(struct session *session, int count, char **words);
int run_crmfirst(struct session *session, int count, char **words);
int run_crmlast(struct session *session, int count, char **words);
int run_callers(struct session *session, int count, char **words);
int run_csingle(struct session *session, int count, char **words);
int run_differences(struct session *session, int count, char **words);

#endif
