/* SPDX-License-Identifier: Apache-2.0 */
/* er_print - show experiments as text */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "er_print/commands.h"
#include "er_print/input.h"
#include "er_print/script.h"
#include "er_print/session.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"

static const char usage[] =
	"usage: er_print [-COMMAND [ARGUMENT]] [-script FILE] [-] ... EXPERIMENT...\n"
	"  -COMMAND      run a command: -functions, -callers-callees, -header ..., in "
	"this "
	"order\n"
	"  -script FILE  run the commands in a file\n"
	"  -             run the commands on the standard input\n"
	"  -help         list all commands\n"
	"  -V, --version  print the version and exit\n"
	"  --help        print this help and exit\n"
	"Without commands, it reads them from the standard input. EXPERIMENT is "
	"test.1.er,\n"
	"a descendant test.1.er/_f1.er, a group runs.erg, or a bundle "
	"test.1.er.tar.zst;\n"
	"several are added together.\n";

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
static int make_plan(struct plan *plan, char **words, int count)
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
				length = command_length(words);
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
		run_prompt(session, command_run);
	else
		run_stream(session, stdin, "standard input", command_run);
}

static void run_plan(struct session *session, const struct plan *plan)
{
	for (int i = 0; i < plan->step_count && !session->is_done; i++) {
		char **words = plan->steps[i].words;

		if (strcmp(*words, "-") == 0) {
			run_input(session);
			continue;
		}
		++*words; /* skip the '-' */
		command_run(session, plan->steps[i].count, words);
	}
	if (plan->step_count == 0)
		run_input(session);
}

/* Check whether all commands work without an experiment. */
static bool is_about_us(const struct plan *plan)
{
	for (int i = 0; i < plan->step_count; i++)
		if (strcmp(*plan->steps[i].words, "-help") != 0 &&
		    strcmp(*plan->steps[i].words, "-version") != 0)
			return false;
	return plan->step_count > 0;
}

static int finish(struct session *session)
{
	session_close(session);
	return session->status;
}

int main(int argc, char *argv[])
{
	cleanup(release_plan) struct plan plan = { 0 };
	struct session session = { 0 };
	struct expt_error err;
	int status;

	cli_start(argv, usage);
	status = make_plan(&plan, argv + 1, argc - 1);
	if (status != CLI_OK)
		return status;
	if (cli_check_operands(plan.paths, plan.path_count) != CLI_OK)
		return cli_usage(usage);
	if (plan.path_count == 0 && !is_about_us(&plan))
		return cli_usage(usage);
	if (session_print_to(&session, stdout) < 0)
		return cli_error("out of memory");
	if (expt_view_new(&session.view, &err) < 0)
		return cli_failed(&err);
	for (int i = 0; i < plan.path_count; i++)
		session_load(&session, plan.paths[i]);
	if (plan.path_count > 0 && expt_view_count(session.view) == 0)
		return finish(&session);
	metrics_default(&session);
	run_plan(&session, &plan);
	session_report_problems(&session);
	return finish(&session);
}
