/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that list what can be selected, with what is. */
#ifndef ER_PRINT_EXPERIMENTS_LISTS_H
#define ER_PRINT_EXPERIMENTS_LISTS_H

#include "er_print/session/session.h"

int run_sample_list(struct session *session, int count, char **words);
int run_thread_list(struct session *session, int count, char **words);
int run_lwp_list(struct session *session, int count, char **words);
int run_cpu_list(struct session *session, int count, char **words);

#endif
