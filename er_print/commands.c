/* SPDX-License-Identifier: Apache-2.0 */
/* The table of commands, and lookup by an abbreviated name. */
#include "er_print/commands.h"

#include <string.h>
#include <strings.h>

#include "er_print/run.h"
#include "er_print/script.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"

/* Arguments of a command. On the command line, where experiments follow, an optional word
 * is taken only if it looks like one. */
enum arguments {
	NONE,
	WORD,	       /* exactly one */
	OPTIONAL_WORD, /* at most one; on the command line always taken */
	OPTIONAL_NUMBER,
	OPTIONAL_ID,   /* a number or "all" */
	FUNCTION,      /* a name, and perhaps a number */
	OPTIONAL_FORM, /* of names */
};

struct command {
	const char *name, *other_name;
	enum arguments arguments;
	const char *argument, *help;
	int (*run)(struct session *session, int count, char **words);
};

static int run_help(struct session *session, int count, char **words);
static int run_version(struct session *session, int count, char **words);
static int run_quit(struct session *session, int count, char **words);
static int run_script_command(struct session *session, int count, char **words);

/* clang-format off */
static const struct command commands[] = {
	{ "functions", NULL, NONE, "", "list functions with the current metrics",
	  run_functions },
	{ "fsingle", NULL, FUNCTION, "FUNCTION [N]", "show all metrics of a function",
	  run_fsingle },
	{ "callers-callees", "gprof", NONE, "",
	  "show callers and callees of each function",
	  run_callers },
	{ "csingle", NULL, FUNCTION, "FUNCTION [N]",
	  "show callers and callees of a function",
	  run_csingle },
	{ "metrics", NULL, OPTIONAL_WORD, "SPEC", "choose the metrics to show",
	  run_metrics },
	{ "sort", NULL, OPTIONAL_WORD, "KEY", "choose the metric to sort by", run_sort },
	{ "metric_list", NULL, NONE, "", "list the available metrics", run_metric_list },
	{ "leaks", NULL, NONE, "", "list leaked memory by call stack",
	  run_leaks },
	{ "allocs", NULL, NONE, "", "list allocated memory by call stack", run_allocs },
	{ "heap", NULL, NONE, "", "list allocated and leaked memory by call stack",
	  run_heap },
	{ "heapstat", NULL, NONE, "", "show heap statistics and peak usage",
	  run_heapstat },
	{ "ioactivity", NULL, NONE, "", "list I/O by file", run_ioactivity },
	{ "iodetail", NULL, NONE, "", "list I/O by open of a file", run_iodetail },
	{ "iocallstack", NULL, NONE, "", "list I/O by call stack", run_iocallstack },
	{ "iostat", NULL, NONE, "", "show I/O statistics by size", run_iostat },
	{ "header", NULL, OPTIONAL_ID, "[ID|all]",
	  "show how experiments were recorded", run_header },
	{ "notes", NULL, OPTIONAL_ID, "[ID|all]", "show the notes of experiments",
	  run_notes },
	{ "experiment_list", "exp_list", NONE, "", "list the experiments",
	  run_experiment_list },
	{ "statistics", NULL, OPTIONAL_ID, "[ID|all]", "show resource usage in total",
	  run_statistics },
	{ "sample_list", NULL, NONE, "", "list the samples", run_sample_list },
	{ "sample_detail", NULL, OPTIONAL_ID, "[ID|all]",
	  "show resource usage of each sample",
	  run_sample_detail },
	{ "thread_list", NULL, NONE, "", "list the threads", run_thread_list },
	{ "lwp_list", NULL, NONE, "", "list the threads by kernel id", run_lwp_list },
	{ "cpu_list", NULL, NONE, "", "list the CPUs", run_cpu_list },
	{ "objects", NULL, NONE, "", "list the load objects", run_objects },
	{ "archive", NULL, OPTIONAL_ID, "[ID|all]", "show the state of the archives",
	  run_archive },
	{ "limit", NULL, OPTIONAL_NUMBER, "N", "print only the first N rows; 0: all",
	  run_limit },
	{ "name", NULL, OPTIONAL_FORM, "long|short|mangled[:soname]",
	  "choose the form of names",
	  run_name },
	{ "printmode", NULL, OPTIONAL_WORD, "text|html|CHAR",
	  "choose the form of tables; CHAR separates fields", run_printmode },
	{ "outfile", NULL, WORD, "FILE|-", "write to a file", run_outfile },
	{ "appendfile", NULL, WORD, "FILE", "append to a file",
	  run_appendfile },
	{ "script", NULL, WORD, "FILE", "run the commands in a file",
	  run_script_command },
	{ "version", NULL, NONE, "", "print the version", run_version },
	{ "help", NULL, NONE, "", "print this list", run_help },
	{ "quit", "exit", NONE, "", "end", run_quit },
};
/* clang-format on */

#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

static bool begins(const char *name, const char *word)
{
	return name && strncasecmp(name, word, strlen(word)) == 0;
}

/* Returns the command of that name, or the only one that the word abbreviates. */
static const struct command *find_command(const char *word, bool *is_ambiguous)
{
	const struct command *found = NULL;
	size_t count = 0;

	*is_ambiguous = false;
	for (size_t i = 0; i < COMMAND_COUNT && *word; i++) {
		const struct command *command = &commands[i];

		if (strcasecmp(command->name, word) == 0 ||
		    (command->other_name && strcasecmp(command->other_name, word) == 0))
			return command;
		if (begins(command->name, word) || begins(command->other_name, word)) {
			found = command;
			count++;
		}
	}
	*is_ambiguous = count > 1;
	return count == 1 ? found : NULL;
}

static bool is_number(const char *word)
{
	int64_t number;

	return number_i64(&number, word);
}

static bool is_name_form(const char *word)
{
	return begins("long", word) || begins("short", word) || begins("mangled", word) ||
	       (strchr(word, ':') && !strchr(word, '/'));
}

int command_length(char **words)
{
	bool is_ambiguous;
	const struct command *command = find_command(words[0] + 1, &is_ambiguous);
	bool is_taken = false;

	if (!command) {
		cli_error(is_ambiguous ? "ambiguous command '%s'"
				       : "unknown command '%s'",
			  words[0]);
		return -1;
	}
	if ((command->arguments == WORD || command->arguments == OPTIONAL_WORD ||
	     command->arguments == FUNCTION) &&
	    !words[1]) {
		cli_error("command '%s' requires an argument: %s", words[0],
			  command->argument);
		return -1;
	}
	switch (command->arguments) {
	case NONE:
		break;
	case WORD:
	case OPTIONAL_WORD:
		is_taken = true;
		break;
	case FUNCTION:
		return words[2] && is_number(words[2]) ? 3 : 2;
	case OPTIONAL_NUMBER:
		is_taken = words[1] && is_number(words[1]);
		break;
	case OPTIONAL_ID:
		is_taken = words[1] &&
			   (is_number(words[1]) || strcmp(words[1], "all") == 0);
		break;
	case OPTIONAL_FORM:
		is_taken = words[1] && is_name_form(words[1]);
		break;
	}
	return 1 + is_taken;
}

/* Returns the most words, or the fewest, that a command takes, its name included. */
static int most_words(const struct command *command)
{
	return command->arguments == NONE ? 1 : command->arguments == FUNCTION ? 3 : 2;
}

static int fewest_words(const struct command *command)
{
	return command->arguments == WORD || command->arguments == FUNCTION ? 2 : 1;
}

int command_run(struct session *session, int count, char **words)
{
	bool is_ambiguous;
	const struct command *command = find_command(words[0], &is_ambiguous);
	int rc;

	if (!command)
		return session_error(session, "%s command '%s'",
				     is_ambiguous ? "ambiguous" : "unknown", words[0]);
	if (count < fewest_words(command))
		return session_error(session, "command '%s' requires an argument: %s",
				     command->name, command->argument);
	if (count > most_words(command)) {
		cli_warn("extra arguments to %s command", command->name);
		count = most_words(command);
	}
	rc = command->run(session, count, words);
	session_report_problems(session);
	return rc;
}

static int run_help(struct session *session, int count, char **words)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command *command = &commands[i];
		char form[80];

		snprintf(form, sizeof(form), "%s%s%s%s %s", command->name,
			 command->other_name ? "[" : "",
			 command->other_name ? command->other_name : "",
			 command->other_name ? "]" : "", command->argument);
		fprintf(session->out, "%-36s %s\n", form, command->help);
	}
	return 0;
}

static int run_version(struct session *session, int count, char **words)
{
	fprintf(session->out, "er_print (erkit) %s\n", ERKIT_VERSION);
	return 0;
}

static int run_quit(struct session *session, int count, char **words)
{
	session->is_done = true;
	return 0;
}

static int run_script_command(struct session *session, int count, char **words)
{
	return run_script(session, words[1], command_run);
}
