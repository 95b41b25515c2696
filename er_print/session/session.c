/* SPDX-License-Identifier: Apache-2.0 */
/* Loading experiments, and reporting errors. */
#include "er_print/session/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "er_print/session/pager.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/archive.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/progress.h"

int session_failed(struct session *session, const struct expt_error *err)
{
	/* The prompt reports an interrupt itself. */
	if (err->code != -EINTR || !session_is_stopped(session))
		session->status = cli_failed(err);
	return -1;
}

int session_out_of_memory(struct session *session)
{
	session->status = cli_error("out of memory");
	return -1;
}

int session_error(struct session *session, const char *format, ...)
{
	char text[2048];
	va_list arguments;

	fflush(session->out);
	if (session->pager)
		pager_show(session->pager);
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (session->where)
		cli_warn("%s: %s", session->where, text);
	else
		session->status = cli_error("%s", text);
	return -1;
}

void session_report_problems(struct session *session)
{
	size_t count = session->view ? expt_view_problem_count(session->view) : 0;

	for (; session->reported < count; session->reported++) {
		const struct expt_problem *problem =
			expt_view_problem(session->view, session->reported);

		if (problem->is_error)
			session->status = cli_error("%s", problem->text);
		else
			cli_warn("%s", problem->text);
	}
}

struct session_member session_member(const struct session *session, size_t i)
{
	return (struct session_member){
		.expt = expt_view_expt(session->view, i),
		.name = expt_view_name(session->view, i),
		.founder = expt_view_founder(session->view, i),
	};
}

/* ---- rows ---- */

struct expt_rows *session_rows(struct session *session, enum expt_by by)
{
	struct expt_rows *rows = NULL;
	struct expt_error err;

	if (expt_view_rows(session->view, by, &rows, &err) < 0)
		session_failed(session, &err);
	session_report_problems(session);
	return rows;
}

static const char *name_of(const struct session *session, const char *name,
			   const char *object, char *buffer, size_t size)
{
	char line[4096];

	if (!session->has_object_names)
		return escape_line(buffer, size, name);
	snprintf(line, sizeof(line), "%s [%s]", name, object);
	if (escape_line(buffer, size, line) == line)
		snprintf(buffer, size, "%s", line);
	return buffer;
}

const char *session_function_name(const struct session *session,
				  const struct expt_function *function, char *buffer,
				  size_t size)
{
	return name_of(session, expt_function_name(function, session->name_form),
		       expt_object_name(expt_function_object(function)), buffer, size);
}

const char *session_place_name(const struct session *session,
			       const struct expt_place *place, char *buffer, size_t size)
{
	const struct expt_position *positions;
	char function[2048], line[4096];
	const char *name = session_function_name(session, place->function, function,
						 sizeof(function));

	if (expt_place_positions(place, &positions) > 0 && positions[0].path &&
	    positions[0].line > 0)
		snprintf(line, sizeof(line),
			 "%s + 0x%08" PRIX64 ", line %" PRIu32 " in \"%s\"", name,
			 place->offset, positions[0].line, path_base(positions[0].path));
	else
		snprintf(line, sizeof(line), "%s + 0x%08" PRIX64, name, place->offset);
	if (escape_line(buffer, size, line) == line)
		snprintf(buffer, size, "%s", line);
	return buffer;
}

static const char *pc_name(const struct session *session, const struct expt_row *row,
			   char *buffer, size_t size)
{
	struct expt_place place = { .function = row->function, .offset = row->offset };

	return session_place_name(session, &place, buffer, size);
}

/* Returns what gp-display-text prints: 'burn, line 7 in "prog.c"'. */
static const char *line_name(const struct session *session, const struct expt_row *row,
			     char *buffer, size_t size)
{
	char function[2048], line[4096];
	const char *name =
		session_function_name(session, row->function, function, sizeof(function));

	if (row->path)
		snprintf(line, sizeof(line), "%s, line %" PRIu32 " in \"%s\"", name,
			 row->line, path_base(row->path));
	else
		snprintf(line, sizeof(line),
			 "<Function: %s, instructions without line numbers>", name);
	if (escape_line(buffer, size, line) == line)
		snprintf(buffer, size, "%s", line);
	return buffer;
}

const char *session_row_name(const struct session *session, const struct expt_row *row,
			     char *buffer, size_t size)
{
	if (row->by == EXPT_BY_INDEX || row->by == EXPT_BY_DATA)
		return escape_line(buffer, size, row->name);
	if (!row->function)
		return name_of(session,
			       row->object ? expt_object_name(row->object) : row->name,
			       "<Total>", buffer, size);
	if (row->by == EXPT_BY_LINE)
		return line_name(session, row, buffer, size);
	if (row->by == EXPT_BY_PC)
		return pc_name(session, row, buffer, size);
	return session_function_name(session, row->function, buffer, size);
}

/* ---- archives of experiments that have none ---- */

static bool was_recorded_here(const struct expt *expt)
{
	struct utsname system;

	return uname(&system) == 0 && strcmp(system.nodename, expt_info(expt)->host) == 0;
}

/* The first reader on the recording machine describes the load objects in the archive, so
 * that later readers can detect changes. Readers need not know if it fails. */
static void archive_at_first_sight(const struct session *session, const struct expt *expt)
{
	struct expt_archive_options options = { .operation.report = NULL };
	struct cli_archive choice = { .text = NULL };

	if (*expt_lineage(expt) || !expt_info(expt)->has_run ||
	    !expt_lacks_archives(expt) || expt_is_active(expt) ||
	    !was_recorded_here(expt) || access(expt_path(expt), W_OK) < 0)
		return;
	cli_archive_environment(&choice);
	cli_archive_apply(&choice, EXPT_ARCHIVE_ON, &options);
	options.search = cli_rc_search(&session->places);
	expt_archive(expt_path(expt), &options, NULL);
	cli_archive_release(&choice);
}

/* ---- experiments and groups ---- */

/* Check a descendant's name, "_f1_x1.er". */
static bool wants(void *context, const char *name)
{
	const struct session *session = context;
	cleanup_free char *lineage = strndup(name, strcspn(name, "."));

	if (session->descendants != DESCENDANTS_MATCHING || !lineage)
		return session->descendants != DESCENDANTS_NONE;
	return expt_pattern_matches(session->descendant_pattern, lineage);
}

static int set_places(struct session *session, struct expt *expt)
{
	struct expt_search search = cli_rc_search(&session->places);
	struct expt_error err;

	if (expt_set_search(expt, &search, &err) < 0 ||
	    expt_set_fetcher(expt, session->fetcher, &err) < 0)
		return session_failed(session, &err);
	return 0;
}

int session_places_changed(struct session *session)
{
	int rc = 0;

	for (size_t i = 0; session->view && i < expt_view_count(session->view); i++)
		if (expt_view_founder(session->view, i) == i &&
		    set_places(session, expt_view_expt(session->view, i)) < 0)
			rc = -1;
	return rc;
}

static void load_experiment(struct session *session, struct expt *expt)
{
	struct expt_view_options options = { .wants = wants, .context = session };
	struct expt_error err;

	archive_at_first_sight(session, expt);
	set_places(session, expt);
	if (expt_view_add(session->view, expt, &options, &err) < 0)
		session_failed(session, &err);
	session_report_problems(session);
}

/* Show progress: a bundle without an index takes a while. */
static int open_bundle(struct expt_group **group, const char *path,
		       struct expt_error *err)
{
	struct expt_import_options reading = {
		.operation.progress = cli_progress_begin(CLI_PROGRESS_AUTO, path),
	};
	int rc = expt_group_open_bundle(group, path, &reading, err);

	cli_progress_end(rc >= 0);
	return rc;
}

static int open_experiment(struct expt **expt, const char *path, struct expt_error *err)
{
	struct expt_import_options reading = { .operation.progress = NULL };
	struct stat status;
	int rc;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return expt_open(expt, path, err);
	reading.operation.progress = cli_progress_begin(CLI_PROGRESS_AUTO, path);
	rc = expt_open_with(expt, path, &reading, err);
	cli_progress_end(rc >= 0);
	return rc;
}

static void load_group(struct session *session, const char *path)
{
	bool is_bundle = expt_is_bundle(path);
	struct expt_group *group;
	struct expt_error err;
	struct expt *expt;
	int rc = is_bundle ? open_bundle(&group, path, &err)
			   : expt_group_open(&group, path, &err);

	if (rc < 0) {
		session_failed(session, &err);
		return;
	}
	for (size_t i = 0; i < expt_group_count(group) && !session_is_stopped(session);
	     i++)
		if (expt_group_member_open(&expt, group, i, &err) < 0)
			session_failed(session, &err);
		else
			load_experiment(session, expt);
	expt_group_close(group);
}

void session_load(struct session *session, const char *path)
{
	size_t before = expt_view_count(session->view);
	struct expt_error err;
	struct expt *expt;

	if (expt_name_is_group(path) || expt_is_bundle(path))
		load_group(session, path);
	else if (open_experiment(&expt, path, &err) < 0)
		session_failed(session, &err);
	else
		load_experiment(session, expt);
	if (!operands_add(&session->operands, session->view, before, path))
		session_out_of_memory(session);
	session_group(session);
}

void session_group(struct session *session)
{
	operands_group(&session->operands, session->view,
		       session->comparison != COMPARISON_OFF);
}

const char *session_group_name(const struct session *session, size_t group)
{
	return operands_group_name(&session->operands, group);
}

/* Close the output and report any write error. */
static void close_output(struct session *session)
{
	bool is_good = output_close(&session->output);
	int number = errno;

	if (session->file != session->standard && session->file != stdout &&
	    fclose(session->file) != 0) {
		number = number ? number : errno;
		is_good = false;
	}
	if (!is_good)
		session->status = cli_write_error(number);
}

int session_print_to(struct session *session, FILE *file)
{
	struct output output;

	if (!output_open(&output, file, session->output.form, session->output.delimiter))
		return -1;
	if (session->out)
		close_output(session);
	session->output = output;
	session->out = output.text;
	session->file = file;
	return 0;
}

int session_print_as(struct session *session, enum output_form form, char delimiter)
{
	struct output output = { .form = form, .delimiter = delimiter };

	/* Nothing has been printed yet: .er.rc may choose the form. */
	if (!session->file) {
		session->output = output;
		return 0;
	}
	if (!output_open(&output, session->file, form, delimiter))
		return session_error(session, "out of memory");
	if (!output_close(&session->output))
		session->status = cli_write_error(errno);
	session->output = output;
	session->out = output.text;
	return 0;
}

void session_close(struct session *session)
{
	array_release(&session->fragment);
	expt_view_free(session->view);
	operands_release(&session->operands);
	strbuf_release(&session->default_metrics.text);
	strbuf_release(&session->default_sort.text);
	cli_rc_release(&session->places);
	expt_pattern_close(session->descendant_pattern);
	close_output(session);
}
