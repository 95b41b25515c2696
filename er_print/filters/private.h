/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the commands in commands.c. words[0] is the name as given. They return
 * -1 if the command failed, which has been reported. */
#ifndef ER_PRINT_FILTERS_PRIVATE_H
#define ER_PRINT_FILTERS_PRIVATE_H

#include "er_print/session/session.h"

int run_filters(struct session *session, int count, char **words);
int run_describe(struct session *session, int count, char **words);
int run_sample_select(struct session *session, int count, char **words);
int run_lwp_select(struct session *session, int count, char **words);
int run_thread_select(struct session *session, int count, char **words);
int run_cpu_select(struct session *session, int count, char **words);
int run_indxobj(struct session *session, int count, char **words);
int run_indxobj_list(struct session *session, int count, char **words);
int run_indxobj_define(struct session *session, int count, char **words);
int run_index_type(struct session *session, int count, char **words);

#endif
