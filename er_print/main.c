/* SPDX-License-Identifier: Apache-2.0 */
/* er_print - show experiments as text */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "er_print/data/commands.h"
#include "er_print/events/commands.h"
#include "er_print/experiments/commands.h"
#include "er_print/filters/commands.h"
#include "er_print/functions/commands.h"
#include "er_print/prompt/commands.h"
#include "er_print/prompt/input.h"
#include "er_print/prompt/rc.h"
#include "er_print/prompt/script.h"
#include "er_print/session/session.h"
#include "er_print/settings/commands.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/debuginfod.h"
#include "libexpt/cli/stop.h"

static const char usage[] =
	"usage: er_print [-COMMAND [ARGUMENT]] [-script FILE] [-] ... EXPERIMENT...\n"
	"  -COMMAND      run a command: -functions, -callers-callees, -header ..., in "
	"this "
	"order\n"
	"  -script FILE  run the commands in a file\n"
	"  -             run the commands on the standard input\n"
	"  -help         list all commands; -help COMMAND describes one\n"
	"  -V, --version  print the version and exit\n"
	"  --help        print this help and exit\n"
	"Without commands, it reads them from the standard input. EXPERIMENT is "
	"test.1.er,\n"
	"a descendant test.1.er/_f1.er, a group runs.erg, or a bundle "
	"test.1.er.tar.zst;\n"
	"several are added together.\n";

/* In the order of "help". */
static const struct topic topics[] = {
	{ "Functions", function_commands },
	{ "Metrics", metric_commands },
	{ "Memory", memory_commands },
	{ "Data objects", data_commands },
	{ "Input and output", io_commands },
	{ "Threads", thread_commands },
	{ "MPI", mpi_commands },
	{ "Experiments", experiment_commands },
	{ "Filters", filter_commands },
	{ "Index objects", index_commands },
	{ "Output", output_commands },
	{ "Settings", setting_commands },
	{ "Others", other_commands },
	{ NULL, old_views },
	{ NULL, NULL },
};

/* The plan of a command line: commands, and the experiments to load. */
struct plan {
	struct {
		char **words; /* "-" alone: the standard input */
		int count;
	} * steps;
	int step_count;
	char **paths;
	int path_count;
};

static void release_plan(struct plan *plan)
{
	free(plan->steps);
	free(plan->paths);
}

/* Nothing is executed unless the whole command line is valid. */
static int make_plan(struct plan *plan, const struct session *session, char **words,
		     int count)
{
	bool is_over = false;

	plan->steps = calloc((size_t)count + 1, sizeof(*plan->steps));
	plan->paths = calloc((size_t)count + 1, sizeof(*plan->paths));
	if (!plan->steps || !plan->paths)
		return cli_error("out of memory");
	while (*words) {
		int length = 1;

		if (!is_over && strcmp(*words, "--") == 0) {
			is_over = true;
		} else if (is_over || **words != '-') {
			plan->paths[plan->path_count++] = *words;
		} else {
			if (strcmp(*words, "-") != 0)
				length = command_length(session, words);
			if (length < 0)
				return CLI_USAGE;
			plan->steps[plan->step_count].words = words;
			plan->steps[plan->step_count++].count = length;
		}
		words += length;
	}
	return CLI_OK;
}

static void run_input(struct session *session)
{
	if (isatty(STDIN_FILENO))
		run_prompt(session);
	else
		run_stream(session, stdin, "standard input");
}

static bool has_place(const struct session *session, const struct plan *plan, int step,
		      unsigned place)
{
	const char *word = plan->steps[step].words[0];

	return strcmp(word, "-") != 0 && command_has_place(session, word + 1, place);
}

static void run_step(struct session *session, const struct plan *plan, int step)
{
	char **words = plan->steps[step].words;

	if (strcmp(*words, "-") == 0) {
		run_input(session);
		return;
	}
	++*words; /* skip the '-' */
	command_run(session, plan->steps[step].count, words);
	--*words;
}

/* Run the commands that say what to load, or all others. */
static void run_plan(struct session *session, const struct plan *plan, bool is_early)
{
	for (int i = 0;
	     i < plan->step_count && !session->is_done && !session_is_stopped(session);
	     i++)
		if (has_place(session, plan, i, EARLY) == is_early)
			run_step(session, plan, i);
}

/* Check whether all commands work without an experiment. */
static bool is_about_us(const struct session *session, const struct plan *plan)
{
	for (int i = 0; i < plan->step_count; i++)
		if (!has_place(session, plan, i, NO_EXPERIMENT))
			return false;
	return plan->step_count > 0;
}

/* Check whether nothing was asked for but settings of what to load. */
static bool is_interactive(const struct session *session, const struct plan *plan)
{
	for (int i = 0; i < plan->step_count; i++)
		if (!has_place(session, plan, i, EARLY))
			return false;
	return true;
}

static int finish(struct session *session)
{
	session_close(session);
	cli_debuginfod_close();
	cli_stop_if_asked();
	return session->status;
}

/* Load the experiments; false if there are none, though some were named. */
static bool load(struct session *session, const struct plan *plan)
{
	run_plan(session, plan, true);
	for (int i = 0; i < plan->path_count; i++)
		session_load(session, plan->paths[i]);
	if (plan->path_count > 0 && expt_view_count(session->view) == 0)
		return false;
	metrics_default(session);
	return true;
}

int main(int argc, char *argv[])
{
	cleanup(release_plan) struct plan plan = { 0 };
	struct session session = {
		.topics = topics,
		.source_threshold = 75,
		.disasm_threshold = 75,
		.index_command = &index_command,
		.standard = stdout,
	};
	struct expt_error err;
	int status;

	cli_start(argv, usage);
	status = make_plan(&plan, &session, argv + 1, argc - 1);
	if (status != CLI_OK)
		return status;
	if (cli_check_operands(plan.paths, plan.path_count) != CLI_OK)
		return cli_usage(usage);
	if (plan.path_count == 0 && !is_about_us(&session, &plan)) {
		/* A command may have taken the last word as its argument. */
		if (argc > 1)
			cli_error("no experiment is given after '%s'", argv[argc - 1]);
		return cli_usage(usage);
	}
	if (expt_view_new(&session.view, &err) < 0)
		return cli_failed(&err);
	run_rc_files(&session);
	if (session_print_to(&session, stdout) < 0)
		return cli_error("out of memory");
	if (!load(&session, &plan))
		return finish(&session);
	run_plan(&session, &plan, false);
	if (is_interactive(&session, &plan))
		run_input(&session);
	session_report_problems(&session);
	return finish(&session);
}
