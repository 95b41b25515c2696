/* SPDX-License-Identifier: Apache-2.0 */
/* The description of how experiments were recorded. */
#ifndef ER_PRINT_EXPERIMENTS_HEADER_H
#define ER_PRINT_EXPERIMENTS_HEADER_H

#include "er_print/session/session.h"

/* Select members by a command's [ID|all]: all without a word. false: error reported. */
bool select_members(struct session *session, int count, char **words, size_t *first,
		    size_t *end);

#endif
