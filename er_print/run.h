/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the commands in the table of commands.c. words[0] is the name as
 * given. They return -1 if the command failed, which has been reported.
 */
#ifndef ER_PRINT_RUN_H
#define ER_PRINT_RUN_H

#include "er_print/session.h"

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
int run_metrics(struct session *session, int count, char **words);
int run_metric_list(struct session *session, int count, char **words);
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
int run_differences(struct session *session, int count, char **words);
int run_compare(struct session *session, int count, char **words);
int run_inline(struct session *session, int count, char **words);
int run_outline(struct session *session, int count, char **words);
int run_viewmode(struct session *session, int count, char **words);
int run_printmode(struct session *session, int count, char **words);
int run_outfile(struct session *session, int count, char **words);
int run_appendfile(struct session *session, int count, char **words);
int run_leaks(struct session *session, int count, char **words);
int run_allocs(struct session *session, int count, char **words);
int run_heap(struct session *session, int count, char **words);
int run_heapstat(struct session *session, int count, char **words);
int run_ioactivity(struct session *session, int count, char **words);
int run_iodetail(struct session *session, int count, char **words);
int run_iocallstack(struct session *session, int count, char **words);
int run_iostat(struct session *session, int count, char **words);
int run_omp_regions(struct session *session, int count, char **words);
int run_omp_tasks(struct session *session, int count, char **words);
int run_gcevents(struct session *session, int count, char **words);
int run_races(struct session *session, int count, char **words);
int run_rdetail(struct session *session, int count, char **words);
int run_deadlocks(struct session *session, int count, char **words);
int run_ddetail(struct session *session, int count, char **words);
int run_header(struct session *session, int count, char **words);
int run_notes(struct session *session, int count, char **words);
int run_statistics(struct session *session, int count, char **words);
int run_sample_detail(struct session *session, int count, char **words);
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
int run_sample_list(struct session *session, int count, char **words);
int run_experiment_list(struct session *session, int count, char **words);
int run_thread_list(struct session *session, int count, char **words);
int run_lwp_list(struct session *session, int count, char **words);
int run_cpu_list(struct session *session, int count, char **words);
int run_objects(struct session *session, int count, char **words);
int run_archive(struct session *session, int count, char **words);
int run_dmetrics(struct session *session, int count, char **words);
int run_dsort(struct session *session, int count, char **words);
int run_add_exp(struct session *session, int count, char **words);
int run_drop_exp(struct session *session, int count, char **words);
int run_open_exp(struct session *session, int count, char **words);
int run_en_desc(struct session *session, int count, char **words);
int run_setpath(struct session *session, int count, char **words);
int run_addpath(struct session *session, int count, char **words);
int run_pathmap(struct session *session, int count, char **words);
int run_procstats(struct session *session, int count, char **words);
int run_ignored(struct session *session, int count, char **words);
int run_help(struct session *session, int count, char **words);
int run_script(struct session *session, int count, char **words);
int run_version(struct session *session, int count, char **words);
int run_quit(struct session *session, int count, char **words);

#endif
