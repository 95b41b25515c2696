/* SPDX-License-Identifier: Apache-2.0 */
/* Completion of the word before the cursor. */
#ifndef ER_PRINT_PROMPT_COMPLETE_H
#define ER_PRINT_PROMPT_COMPLETE_H

#include "er_print/session/session.h"
#include "libexpt/base/strbuf.h"

/* A change of the line, made by the caller: remove so many characters before the cursor,
 * and insert the text if it is not empty. */
struct completion_edit {
	size_t removed;
	struct strbuf *insertion;
	bool has_listed; /* the words to choose from have been printed */
};

/* Complete the word that ends at the cursor of the line. */
void complete_at(struct session *session, struct completion_edit *edit, const char *line,
		 size_t cursor);

#endif
