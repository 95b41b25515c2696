/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/command/object_types.h"

#include <strings.h>

#include "er_print/command/command.h"
#include "er_print/command/text_words.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/strbuf.h"

void object_types_list(struct session *session, bool is_memory)
{
	fprintf(session->out, "Types of %s objects\n", is_memory ? "memory" : "index");
	for (size_t i = 0; i < expt_index_type_count(session->view); i++) {
		const struct expt_index_type *type = expt_index_type(session->view, i);

		if (type->is_memory == is_memory)
			escape_printf(session->out, "  %s\t%s\n", type->name,
				      type->expression);
	}
}

int object_types_define(struct session *session, int count, char **words, bool is_memory)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	bool is_ambiguous;
	const struct command *command = command_find(session, words[1], &is_ambiguous);
	struct expt_error err;

	if (command && strcasecmp(command->name, words[1]) == 0)
		return session_error(session, "cannot define '%s': it is a command",
				     words[1]);
	join_words(&text, count - 2, words + 2);
	if (text.failed)
		return session_out_of_memory(session);
	if (expt_index_type_define(session->view, words[1], strbuf_text(&text), is_memory,
				   &err) < 0)
		return session_error(session, "cannot define '%s': %s", words[1],
				     err.message);
	return 0;
}
