/* SPDX-License-Identifier: Apache-2.0 */
/* Describes how experiments were recorded. */
#ifndef ER_PRINT_HEADER_H
#define ER_PRINT_HEADER_H

#include "er_print/session.h"

/* The members that a command's [ID|all] selects: all without a word. false: reported. */
bool select_members(struct session *session, int count, char **words, size_t *first,
		    size_t *end);

#endif
