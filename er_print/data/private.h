/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the commands in commands.c. words[0] is the name as given. They return
 * -1 if the command failed, which has been reported. */
#ifndef ER_PRINT_DATA_PRIVATE_H
#define ER_PRINT_DATA_PRIVATE_H

#include "er_print/session/session.h"

int run_data_objects(struct session *session, int count, char **words);
int run_data_single(struct session *session, int count, char **words);
int run_data_layout(struct session *session, int count, char **words);
int run_data_metrics(struct session *session, int count, char **words);
int run_data_sort(struct session *session, int count, char **words);
int run_data_metric_list(struct session *session, int count, char **words);
int run_memobj(struct session *session, int count, char **words);
int run_mobj_list(struct session *session, int count, char **words);
int run_mobj_define(struct session *session, int count, char **words);

/* Check whether there are events with data addresses; if not, that is reported. */
bool data_is_there(struct session *session);

/* Print rows with the metrics of data objects. */
int print_data_rows(struct session *session, struct expt_rows *rows, enum expt_by by);
/* Returns the rows of data objects; NULL: failed, or there are none, reported. */
struct expt_rows *data_rows(struct session *session);
/* Print the call stacks that allocated the blocks of an object, as far as the heap was
 * traced. -1: failed, reported. */
int print_allocations(struct session *session, struct expt_rows *rows, size_t row);

#endif
