/* SPDX-License-Identifier: Apache-2.0 */
/* Commands typed at a prompt, with libedit's line editing and history. */
#include "er_print/input.h"

#include <editline/readline.h>
#include <stdlib.h>

void run_prompt(struct session *session, script_command *run)
{
	int status = session->status;
	char *line;

	rl_readline_name = "er_print";
	using_history();
	while (!session->is_done) {
		fflush(session->out);
		line = readline("(er_print) ");
		if (!line) {
			fputc('\n', stdout);
			break;
		}
		if (*line)
			add_history(line);
		run_line(session, line, run);
		free(line);
	}
	/* The user has already seen the errors. */
	session->status = status;
}
