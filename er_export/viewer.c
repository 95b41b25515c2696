/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of er_export --format: read the experiments, choose the metrics, make tables
 * of the events, and let the format write them. */
#include "er_export/viewer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "er_export/formats/choose.h"
#include "er_export/formats/formats.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/output.h"
#include "libexpt/cli/rc.h"
#include "libexpt/cli/view.h"

struct job {
	const struct viewer_options *options;
	const struct format *format;
	struct source source;
	int status;
};

static int out_of_memory(void)
{
	cli_error("out of memory");
	return OUTPUT_REFUSED;
}

/* Write the tables; for output_write(). */
static int fill(void *context, FILE *file)
{
	struct job *job = context;

	return job->format->write(file, &job->source) < 0 ? out_of_memory() : job->status;
}

static int write_tables(struct job *job, struct cli_view *view)
{
	const struct format *format = job->format;
	struct source *source = &job->source;
	struct expt_error err;
	int status;

	if (expt_tables_make(&source->tables, source->view,
			     format->has_times ? source->metrics[0] : EXPT_METRIC_NONE,
			     &err) < 0)
		return cli_failed(&err);
	if (cli_view_report(view) != CLI_OK)
		job->status = CLI_FAILED;
	status = output_write(job->options->output, job->options->replace, fill, job);
	expt_tables_free(source->tables);
	return status;
}

static int choose(struct job *job)
{
	char *problem = choose_metrics(&job->source, job->format, job->options->metrics);

	if (!problem)
		return CLI_OK;
	cli_error("%s", problem);
	if (problem != choose_no_memory)
		free(problem);
	return CLI_FAILED;
}

/* What a format cannot carry is not silently lost. */
static void say_what_is_lost(const struct job *job)
{
	if (job->format->lacks && !job->options->is_quiet)
		cli_note("%s %s", job->format->name, job->format->lacks);
}

static int write_view(struct job *job, struct cli_view *view)
{
	int status;

	if (expt_view_count(view->view) == 0)
		return CLI_FAILED;
	expt_view_set_inlined(view->view, true);
	status = choose(job);
	if (status == CLI_OK)
		status = write_tables(job, view);
	if (status == CLI_OK)
		say_what_is_lost(job);
	return status;
}

static int export_operands(struct job *job, struct cli_view *view, char *operands[],
			   int count)
{
	cli_allow_many_files();
	for (int i = 0; i < count; i++)
		if (cli_view_add(view, operands[i]) != CLI_OK)
			job->status = CLI_FAILED;
	return write_view(job, view);
}

int export_for_viewer(char *operands[], int count, const struct viewer_options *options)
{
	struct job job = { .options = options, .format = format_find(options->format) };
	struct cli_view view = {
		.reading = options->reading,
		.progress = options->progress,
		.is_quiet = options->is_quiet,
	};
	struct cli_rc rc = { .maps.count = 0 };
	struct expt_error err;
	int status;

	if (job.format->is_binary && !options->output && isatty(STDOUT_FILENO)) {
		cli_error("refusing to write %s to a terminal", options->format);
		return CLI_USAGE;
	}
	if (expt_view_new(&view.view, &err) < 0)
		return cli_failed(&err);
	cli_rc_read_all(&rc);
	view.search = cli_rc_search(&rc);
	job.source.view = view.view;
	status = export_operands(&job, &view, operands, count);
	expt_view_free(view.view);
	cli_rc_release(&rc);
	return status;
}
