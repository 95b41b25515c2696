/* SPDX-License-Identifier: Apache-2.0 */
/* er_export --text: prints experiments and groups to the output; text_print.c prints each
 * of them. */
#include "er_export/text.h"

#include <errno.h>
#include <stdio.h>

#include "er_export/text_print.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/output.h"
#include "libexpt/expt.h"

/* ---- experiments and groups -------------------------------------------------------- */

/* Skip an experiment of another release with a warning. */
static int not_opened(const struct expt_error *err)
{
	if (err->code != -ENOTSUP)
		return cli_failed(err);
	cli_warn("%s", err->message);
	return CLI_OK;
}

/* Print the founder and its descendants, and close it. */
static int print_experiment(const struct text_options *options, FILE *out,
			    struct expt *founder)
{
	struct expt *descendant;
	struct expt_error err;
	int status;

	status = text_print(options, out, founder);
	for (size_t i = 0; i < expt_descendant_count(founder) && !ferror(out); i++) {
		if (expt_descendant_open(&descendant, founder, i, &err) < 0) {
			status |= not_opened(&err);
			continue;
		}
		if (text_print(options, out, descendant) != CLI_OK)
			status = CLI_FAILED;
		expt_close(descendant);
	}
	expt_close(founder);
	return status;
}

/* Show progress: reading a bundle without an index takes a while. */
static struct expt_import_options begin_reading(const struct text_options *options,
						const char *path)
{
	struct expt_import_options reading = options->reading;

	reading.operation.progress = cli_progress_begin(options->progress, path);
	return reading;
}

static int print_path(const struct text_options *options, FILE *out, const char *path)
{
	struct expt_import_options reading = begin_reading(options, path);
	struct expt_error err;
	struct expt *expt;
	int rc = expt_open_with(&expt, path, &reading, &err);

	cli_progress_end(rc >= 0);
	return rc < 0 ? not_opened(&err) : print_experiment(options, out, expt);
}

static int open_bundle(struct expt_group **group, const struct text_options *options,
		       const char *path, struct expt_error *err)
{
	struct expt_import_options reading = begin_reading(options, path);
	int rc = expt_group_open_bundle(group, path, &reading, err);

	cli_progress_end(rc >= 0);
	return rc;
}

static int print_group(const struct text_options *options, FILE *out, const char *path)
{
	bool is_bundle = expt_is_bundle(path);
	struct expt_group *group;
	struct expt_error err;
	struct expt *expt;
	int status = CLI_OK, rc;

	rc = is_bundle ? open_bundle(&group, options, path, &err)
		       : expt_group_open(&group, path, &err);
	if (rc < 0)
		return cli_failed(&err);
	text_header(options, out, is_bundle ? "bundle" : "group", path);
	for (size_t i = 0; i < expt_group_count(group) && !ferror(out); i++)
		if (expt_group_member_open(&expt, group, i, &err) < 0)
			status |= not_opened(&err);
		else if (print_experiment(options, out, expt) != CLI_OK)
			status = CLI_FAILED;
	expt_group_close(group);
	return status;
}

static int print_all(const struct text_options *options, FILE *out, char *operands[],
		     int count)
{
	int status = CLI_OK;

	for (int i = 0; i < count && !ferror(out); i++) {
		bool is_group = expt_name_is_group(operands[i]) ||
				expt_is_bundle(operands[i]);
		int rc = is_group ? print_group(options, out, operands[i])
				  : print_path(options, out, operands[i]);

		if (rc != CLI_OK)
			status = CLI_FAILED;
	}
	return status;
}

/* ---- output ------------------------------------------------------------------------ */

struct printing {
	const struct text_options *options;
	char **operands;
	int count;
};

static int fill(void *context, FILE *file)
{
	const struct printing *printing = context;

	return print_all(printing->options, file, printing->operands, printing->count);
}

int export_text(char *operands[], int count, const struct text_options *options)
{
	struct printing printing = { options, operands, count };

	return output_write(options->output, options->replace, fill, &printing);
}
