/* SPDX-License-Identifier: Apache-2.0 */
/* er_export - put experiments into one file; er_import, the same program by another name,
 * takes them out again */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "er_export/bundle.h"
#include "er_export/options.h"
#include "er_export/text.h"
#include "er_export/viewer.h"
#include "libexpt/base/path.h"

static int export_all(const struct options *options, char *operands[], int count,
		      const char *path)
{
	struct expt_export_options to = options->to;
	struct expt_error err;
	int rc, status;

	to.operation.report = expt_report_new();
	if (!to.operation.report)
		return cli_error("out of memory");
	to.operation.progress = cli_progress_begin(when_to_show_progress(options),
						   path ? path : "bundle");
	rc = expt_export((const char *const *)operands, (size_t)count, path,
			 STDOUT_FILENO, &to, &err);
	cli_progress_end(rc >= 0);
	status = path || to.operation.dry_run
			 ? cli_report(to.operation.report,
				      options->is_verbose || to.operation.dry_run,
				      options->is_quiet)
			 : cli_report(to.operation.report, false, options->is_quiet);
	expt_report_free(to.operation.report);
	return rc < 0 ? cli_failed(&err) : status;
}

/* Change "dir/test.1.er/" to "test.1.er.tar.zst". */
static char *default_output(const struct options *options, const char *operand)
{
	size_t length;
	const char *last = path_last(operand, &length);
	char *name;

	return asprintf(&name, "%.*s%s", (int)length, last, options->suffix) < 0 ? NULL
										 : name;
}

static int export_each(const struct options *options, char *operands[], int count)
{
	int status = CLI_OK;

	for (int i = 0; i < count; i++) {
		char *name = default_output(options, operands[i]);

		if (!name)
			return cli_error("out of memory");
		if (export_all(options, &operands[i], 1, name) != CLI_OK)
			status = CLI_FAILED;
		free(name);
	}
	return status;
}

static int export(const struct options *options, char *operands[], int count)
{
	bool is_stdout = options->output && strcmp(options->output, "-") == 0;

	if (!options->output)
		return export_each(options, operands, count);
	if (is_stdout && isatty(STDOUT_FILENO) && !options->to.operation.dry_run) {
		cli_error("refusing to write a bundle to a terminal");
		return CLI_USAGE;
	}
	return export_all(options, operands, count, is_stdout ? NULL : options->output);
}

static int for_viewer(const struct options *options, char *operands[], int count)
{
	struct viewer_options to = options->viewer;

	if (options->output && strcmp(options->output, "-") != 0)
		to.output = options->output;
	return export_for_viewer(operands, count, &to);
}

static int text(const struct options *options, char *operands[], int count)
{
	struct text_options to = options->text;

	if (options->output && strcmp(options->output, "-") != 0)
		to.output = options->output;
	to.replace = options->to.replace;
	return export_text(operands, count, &to);
}

static int for_each(int (*function)(const struct options *, const char *),
		    const struct options *options, char *operands[], int count)
{
	int status = CLI_OK;

	for (int i = 0; i < count; i++)
		if (function(options, operands[i]) != CLI_OK)
			status = CLI_FAILED;
	return status;
}

int main(int argc, char *argv[])
{
	struct options options;
	int status;

	cli_start(argv, NULL);
	status = parse_options(&options, argc, argv);
	if (status >= 0)
		return status;
	if (options.is_import)
		status = for_each(import_bundle, &options, argv + optind, argc - optind);
	else if (options.is_list)
		status = for_each(list_bundle, &options, argv + optind, argc - optind);
	else if (options.is_check)
		status = for_each(check_bundle, &options, argv + optind, argc - optind);
	else if (options.is_text)
		return text(&options, argv + optind, argc - optind);
	else if (options.format)
		return for_viewer(&options, argv + optind, argc - optind);
	else
		status = export(&options, argv + optind, argc - optind);
	return cli_finish(status);
}
