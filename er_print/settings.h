/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that change how and where things are shown; see commands.c for their names. */
#ifndef ER_PRINT_SETTINGS_H
#define ER_PRINT_SETTINGS_H

#include "er_print/session.h"

int run_metrics(struct session *session, int count, char **words);
int run_metric_list(struct session *session, int count, char **words);
int run_sort(struct session *session, int count, char **words);
int run_limit(struct session *session, int count, char **words);
int run_name(struct session *session, int count, char **words);
int run_printmode(struct session *session, int count, char **words);
int run_outfile(struct session *session, int count, char **words);
int run_appendfile(struct session *session, int count, char **words);

#endif
