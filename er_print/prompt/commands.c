/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of commands. "help" lists them in this order. */
#include "er_print/prompt/commands.h"

#include "er_print/command/complete_words.h"
#include "er_print/prompt/private.h"

/* clang-format off */
const struct command other_commands[] = {
	{ "procstats", NULL, NONE, "", "show the time and memory that er_print used",
	  run_procstats, .places = NO_EXPERIMENT },
	{ "script", NULL, WORD, "FILE", "run the commands in a file",
	  run_script, .complete = complete_file,
	  .more = "It has one command per line. A '#' begins a comment, and a '\\' at "
		  "the end of a line continues it.",
	  .example = "script commands.txt" },
	{ "version", NULL, NONE, "", "print the version",
	  run_version, .places = NO_EXPERIMENT },
	{ "help", NULL, OPTIONAL_COMMAND, "[COMMAND]",
	  "list the commands, or describe one",
	  run_help, .places = NO_EXPERIMENT,
	  .complete = complete_command,
	  .example = "help metrics" },
	{ "quit", "exit", NONE, "", "end",
	  run_quit, .example = "quit" },
	{ .name = NULL },
};
/* clang-format on */
