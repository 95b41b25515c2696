/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the commands in commands.c. words[0] is the name as given. They return
 * -1 if the command failed, which has been reported. */
#ifndef ER_PRINT_EVENTS_PRIVATE_H
#define ER_PRINT_EVENTS_PRIVATE_H

#include "er_print/session/session.h"

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
int run_mpi_calls(struct session *session, int count, char **words);
int run_mpi_ranks(struct session *session, int count, char **words);
int run_mpi_messages(struct session *session, int count, char **words);
int run_mpi_matrix(struct session *session, int count, char **words);
int run_gcevents(struct session *session, int count, char **words);
int run_races(struct session *session, int count, char **words);
int run_rdetail(struct session *session, int count, char **words);
int run_deadlocks(struct session *session, int count, char **words);
int run_ddetail(struct session *session, int count, char **words);

#endif
