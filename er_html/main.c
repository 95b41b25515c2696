/* SPDX-License-Identifier: Apache-2.0 */
/* er_html - show experiments in a browser: a single file that needs nothing else */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "er_html/data.h"
#include "er_html/page.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/options.h"
#include "libexpt/cli/output.h"
#include "libexpt/cli/progress.h"
#include "libexpt/cli/rc.h"
#include "libexpt/cli/view.h"
#include "libexpt/expt.h"

#define SOURCE_LIMIT (UINT64_C(1) << 20)

struct options {
	const char *output;
	uint64_t source_limit;
	bool force, is_quiet, shows_progress, compares;
};

static const char synopsis[] =
	"usage: er_html [-o FILE.html] [OPTION]... EXPERIMENT-OR-GROUP...\n"
	"       er_html --compare [OPTION]... EXPERIMENT-OR-GROUP "
	"EXPERIMENT-OR-GROUP...\n"
	"       er_html -V\n";

static int take_source_limit(void *context, const char *value)
{
	struct options *options = context;

	if (number_size(&options->source_limit, value))
		return CLI_OK;
	cli_error("'%s' is not a size: use a number followed by k, M, G or T", value);
	return CLI_USAGE;
}

static const struct cli_option table[] = {
	{ 'o', "output", "=FILE",
	  "write the page there (default: the first experiment's\nname with .html, in "
	  "this directory; -: standard output)",
	  CLI_TEXT(struct options, output) },
	{ 'f', "force", NULL, "replace the file if it exists",
	  CLI_FLAG(struct options, force) },
	{ 0, "source-limit", "=SIZE",
	  "put source and instructions of so many bytes into the\npage, those of the "
	  "functions with the largest values\n(default 1M; 0: none)",
	  .take = take_source_limit },
	{ 0, "compare", NULL, "compare the operands: show what differs from the first",
	  CLI_FLAG(struct options, compares) },
	CLI_QUIET(struct options, is_quiet),
	CLI_PROGRESS(struct options, shows_progress),
	{},
};

static const struct cli_option *const tables[] = { table, NULL };

/* What is written, and of what. */
struct job {
	struct cli_view view;
	struct data_options data;
};

static int write_page(void *context, FILE *out)
{
	struct job *job = context;
	struct expt_error err = { 0 };
	int rc;

	page_begin(out);
	rc = data_write(out, job->view.view, &job->data, &err);
	if (rc < 0) {
		if (err.code != 0)
			cli_failed(&err);
		else
			cli_error("cannot make the page: %s", strerrordesc_np(-rc));
		return OUTPUT_REFUSED;
	}
	page_end(out);
	return cli_view_report(&job->view);
}

/* Returns the operand's name with .html; NULL: out of memory. */
static char *name_page(const char *operand)
{
	cleanup_free char *whole = strdup(operand);
	size_t length = strlen(operand);
	char *name;

	if (!whole)
		return NULL;
	for (; length > 1 && whole[length - 1] == '/'; length--)
		whole[length - 1] = '\0';
	return asprintf(&name, "%s.html", path_base(whole)) < 0 ? NULL : name;
}

static int make_page(const struct options *options, struct job *job, const char *operand)
{
	cleanup_free char *name = name_page(operand);
	const char *output = options->output ? options->output : name;
	int status;

	if (!name)
		return cli_error("%s", strerrordesc_np(ENOMEM));
	if (strcmp(output, "-") == 0)
		return output_write(NULL, false, write_page, job);
	status = output_write(output, options->force, write_page, job);
	if (status == CLI_OK && !options->output && !options->is_quiet)
		printf("%s\n", output);
	return status;
}

/* Add the operands, and note which of them each experiment is from. */
static int add_operands(struct job *job, char *operands[], int count, size_t **of_founder)
{
	int status = CLI_OK;

	for (int i = 0; i < count; i++) {
		size_t before = expt_view_count(job->view.view), after;

		if (cli_view_add(&job->view, operands[i]) != CLI_OK)
			status = CLI_FAILED;
		after = expt_view_count(job->view.view);
		*of_founder = reallocarray(*of_founder, after + 1, sizeof(**of_founder));
		if (!*of_founder)
			return cli_error("%s", strerrordesc_np(ENOMEM));
		for (size_t j = before; j < after; j++)
			(*of_founder)[j] = (size_t)i;
	}
	return status;
}

static void set_groups(struct job *job, char *operands[], int count,
		       const size_t *of_founder)
{
	struct expt_view *view = job->view.view;

	expt_view_set_groups(view, (size_t)count);
	for (size_t i = 0; i < expt_view_count(view); i++)
		if (expt_view_founder(view, i) == i)
			expt_view_set_group(view, i, of_founder[i]);
	job->data.groups = (struct groups){
		.names = (const char *const *)operands,
		.count = (size_t)count,
		.of_founder = of_founder,
	};
}

static int show(const struct options *options, char *operands[], int count)
{
	struct job job = {
		.view = { .is_quiet = options->is_quiet },
		.data = { .title = operands[0], .source_limit = options->source_limit },
	};
	struct cli_rc rc = { .maps.count = 0 };
	struct expt_error err;
	size_t *of_founder = NULL;
	int status, made;

	if (expt_view_new(&job.view.view, &err) < 0)
		return cli_failed(&err);
	job.view.progress = cli_progress_mode(options->is_quiet, options->shows_progress);
	cli_rc_read_all(&rc);
	job.view.search = cli_rc_search(&rc);
	job.data.search = &job.view.search;
	expt_view_set_inlined(job.view.view, true);
	status = add_operands(&job, operands, count, &of_founder);
	if (of_founder && options->compares)
		set_groups(&job, operands, count, of_founder);
	if (of_founder && expt_view_count(job.view.view) > 0) {
		made = make_page(options, &job, operands[0]);
		status = made == CLI_OK ? status : made;
	}
	expt_view_free(job.view.view);
	free(of_founder);
	cli_rc_release(&rc);
	return status;
}

int main(int argc, char *argv[])
{
	struct options options = { .source_limit = SOURCE_LIMIT };
	const struct cli_command command = { .synopsis = synopsis,
					     .tables = tables,
					     .options = &options };
	int status;

	cli_start(argv, NULL);
	cli_allow_many_files();
	status = cli_options(&command, argc, argv);
	if (status >= 0)
		return status;
	if (optind == argc || (options.compares && argc - optind < 2))
		return cli_options_usage(&command);
	return cli_finish(show(&options, argv + optind, argc - optind));
}
