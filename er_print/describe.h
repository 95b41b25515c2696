/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that describe experiments; see commands.c for their names. */
#ifndef ER_PRINT_DESCRIBE_H
#define ER_PRINT_DESCRIBE_H

#include "er_print/session.h"

/* The members that a command's [ID|all] selects: all without a word. false: reported. */
bool select_members(struct session *session, int count, char **words, size_t *first,
		    size_t *end);

/* course.c: a part of the header: start, descendants, pauses, end. */
void print_course(FILE *out, struct expt *expt);

int run_header(struct session *session, int count, char **words);
int run_notes(struct session *session, int count, char **words);
int run_statistics(struct session *session, int count, char **words);
int run_sample_detail(struct session *session, int count, char **words);
int run_sample_list(struct session *session, int count, char **words);
int run_experiment_list(struct session *session, int count, char **words);
int run_thread_list(struct session *session, int count, char **words);
int run_lwp_list(struct session *session, int count, char **words);
int run_cpu_list(struct session *session, int count, char **words);
int run_objects(struct session *session, int count, char **words);
int run_archive(struct session *session, int count, char **words);

#endif
