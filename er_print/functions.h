/* SPDX-License-Identifier: Apache-2.0 */
/* The list of functions, and lookup by name. */
#ifndef ER_PRINT_FUNCTIONS_H
#define ER_PRINT_FUNCTIONS_H

#include "er_print/session.h"

struct row_list;
struct arena;

/* List all rows that count, sorted. -1: out of memory, reported. */
int list_functions(struct session *session, struct row_list *list, struct arena *names);
/* Returns the row that a command's words name: NAME [NUMBER]; -1 if there is none, which
 * has been reported. */
int64_t find_function(struct session *session, int count, char **words);

#endif
