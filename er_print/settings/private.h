/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the commands in commands.c. words[0] is the name as given. They return
 * -1 if the command failed, which has been reported. */
#ifndef ER_PRINT_SETTINGS_PRIVATE_H
#define ER_PRINT_SETTINGS_PRIVATE_H

#include "er_print/session/session.h"

int run_metrics(struct session *session, int count, char **words);
int run_metric_list(struct session *session, int count, char **words);
int run_cmetric_list(struct session *session, int count, char **words);
int run_indx_metric_list(struct session *session, int count, char **words);
int run_sort(struct session *session, int count, char **words);
int run_limit(struct session *session, int count, char **words);
int run_name(struct session *session, int count, char **words);
int run_object_list(struct session *session, int count, char **words);
int run_object_show(struct session *session, int count, char **words);
int run_object_hide(struct session *session, int count, char **words);
int run_object_api(struct session *session, int count, char **words);
int run_object_select(struct session *session, int count, char **words);
int run_objects_default(struct session *session, int count, char **words);
int run_errors(struct session *session, int count, char **words);
int run_compare(struct session *session, int count, char **words);
int run_inline(struct session *session, int count, char **words);
int run_outline(struct session *session, int count, char **words);
int run_sthresh(struct session *session, int count, char **words);
int run_dthresh(struct session *session, int count, char **words);
int run_viewmode(struct session *session, int count, char **words);
int run_printmode(struct session *session, int count, char **words);
int run_outfile(struct session *session, int count, char **words);
int run_appendfile(struct session *session, int count, char **words);
int run_dmetrics(struct session *session, int count, char **words);
int run_dsort(struct session *session, int count, char **words);
int run_en_desc(struct session *session, int count, char **words);
int run_debuginfod(struct session *session, int count, char **words);
int run_setpath(struct session *session, int count, char **words);
int run_addpath(struct session *session, int count, char **words);
int run_pathmap(struct session *session, int count, char **words);
int run_ignored(struct session *session, int count, char **words);
int run_commentary(struct session *session, int count, char **words);
int run_ifreq(struct session *session, int count, char **words);

#endif
