/* SPDX-License-Identifier: Apache-2.0 */
/* Types of index objects and memory objects, as commands list and define them. */
#ifndef ER_PRINT_COMMAND_OBJECT_TYPES_H
#define ER_PRINT_COMMAND_OBJECT_TYPES_H

#include "er_print/session/session.h"

/* List those of one of the two. */
void object_types_list(struct session *session, bool is_memory);
/* Define a type by the words of a command: TYPE EXPRESSION. -1: failed, reported. */
int object_types_define(struct session *session, int count, char **words, bool is_memory);

#endif
