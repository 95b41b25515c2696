/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup of functions by name. */
#ifndef ER_PRINT_FUNCTIONS_FUNCTIONS_H
#define ER_PRINT_FUNCTIONS_FUNCTIONS_H

#include "er_print/session/session.h"

/* Returns the row that a command's words name: NAME [NUMBER]; -1 if there is none, which
 * has been reported. */
int64_t find_function(struct session *session, int count, char **words);
/* Check whether there is a row of this name. */
bool has_function(struct session *session, const char *name);
/* Report that nothing of this kind has the name; returns -1. */
int refuse_name(struct session *session, const char *what, const char *name);

#endif
