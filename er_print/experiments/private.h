/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the commands in commands.c. words[0] is the name as given. They return
 * -1 if the command failed, which has been reported. */
#ifndef ER_PRINT_EXPERIMENTS_PRIVATE_H
#define ER_PRINT_EXPERIMENTS_PRIVATE_H

#include "er_print/session/session.h"

int run_header(struct session *session, int count, char **words);
int run_overview(struct session *session, int count, char **words);
int run_notes(struct session *session, int count, char **words);
int run_statistics(struct session *session, int count, char **words);
int run_sample_detail(struct session *session, int count, char **words);
int run_experiment_list(struct session *session, int count, char **words);
int run_objects(struct session *session, int count, char **words);
int run_archive(struct session *session, int count, char **words);
int run_add_exp(struct session *session, int count, char **words);
int run_drop_exp(struct session *session, int count, char **words);
int run_open_exp(struct session *session, int count, char **words);

#endif
