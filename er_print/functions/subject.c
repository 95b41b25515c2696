/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/functions/subject.h"

#include <stdlib.h>
#include <string.h>

#include "er_print/functions/functions.h"
#include "libexpt/base/array.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/idmap.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"

bool subject_has_path(const struct subject *subject, const char *path)
{
	return path && subject->path &&
	       (path == subject->path || strcmp(path, subject->path) == 0);
}

/* ---- a file by its name ---- */

/* Rows of different files whose names match. */
struct files {
	const struct expt_row **items;
	size_t count, capacity;
};

static bool is_named(const char *path, const char *name)
{
	size_t length = strlen(path), end = strlen(name);

	if (!text_ends_with(path, name))
		return false;
	return length == end || *name == '/' || path[length - end - 1] == '/';
}

static bool is_listed(const struct files *files, const struct expt_row *row)
{
	for (size_t i = 0; i < files->count; i++)
		if (strcmp(files->items[i]->path, row->path) == 0)
			return true;
	return false;
}

static bool list_files(struct files *files, const struct expt_rows *rows,
		       const char *name)
{
	const char *last = NULL;

	for (size_t i = 0; i < expt_rows_count(rows); i++) {
		const struct expt_row *row = expt_row(rows, i);
		const struct expt_row **new;

		if (!row->path || row->path == last || !is_named(row->path, name) ||
		    is_listed(files, row))
			continue;
		last = row->path;
		new = array_add(files);
		if (!new)
			return false;
		*new = row;
	}
	return true;
}

static int choose_file(struct subject *subject, struct session *session,
		       const struct files *files, int count, char **words)
{
	uint64_t chosen = 1;

	if (files->count == 0)
		return refuse_name(session, "function or source file", words[1]);
	if (count > 2 &&
	    (!number_u64(&chosen, words[2]) || chosen < 1 || chosen > files->count))
		return session_error(session, "invalid number '%s'", words[2]);
	if (count < 3 && files->count > 1)
		cli_warn("found %zu files '%s': using the first", files->count, words[1]);
	subject->path = files->items[chosen - 1]->path;
	subject->object = expt_function_object(files->items[chosen - 1]->function);
	return 0;
}

static int find_file(struct subject *subject, struct session *session, int count,
		     char **words)
{
	struct expt_rows *rows = session_rows(session, EXPT_BY_SOURCE_LINE);
	struct files files = { 0 };
	int rc = rows ? 0 : -1;

	if (rows && !list_files(&files, rows, words[1]))
		rc = session_out_of_memory(session);
	if (rc == 0)
		rc = choose_file(subject, session, &files, count, words);
	array_release(&files);
	return rc;
}

/* ---- either ---- */

static int find_by_function(struct subject *subject, struct session *session, int count,
			    char **words)
{
	int64_t row = find_function(session, count, words);
	struct expt_rows *rows = row < 0 ? NULL : session_rows(session, EXPT_BY_FUNCTION);

	if (!rows)
		return -1;
	subject->function = expt_row(rows, (size_t)row)->function;
	if (!subject->function)
		return session_error(session, "'%s' is not a function: it has no code",
				     words[1]);
	subject->object = expt_function_object(subject->function);
	subject->path = expt_function_source(subject->function);
	return 0;
}

int subject_find(struct subject *subject, struct session *session, int count,
		 char **words)
{
	struct expt_search search = cli_rc_search(&session->places);
	int rc;

	*subject = (struct subject){ .path = NULL };
	rc = has_function(session, words[1])
		     ? find_by_function(subject, session, count, words)
		     : find_file(subject, session, count, words);
	if (rc == 0 && subject->path)
		expt_source_open(&subject->source, subject->object, subject->path,
				 &search, NULL);
	return rc;
}

void subject_release(struct subject *subject)
{
	expt_source_close(subject->source);
	array_release(&subject->functions);
}

/* ---- functions ---- */

/* So many functions of other sources end the search for neighbours: padding, and code of
 * other sections, are in between. */
#define MISSES_MAX 3

static bool has_code(const struct subject *subject, const struct expt_function *function)
{
	const struct expt_code_row *rows;
	size_t count = expt_function_positions(function, &rows);

	for (size_t i = 0; i < count; i++)
		if (subject_has_path(subject, rows[i].path))
			return true;
	return false;
}

/* Add the function if it has code from the source and is new. -1: out of memory; 0: it is
 * not added. */
static int add_function(struct subject *subject, struct idmap *known,
			const struct expt_function *function)
{
	uint32_t *slot = idmap_add(known, (uintptr_t)function);
	const struct expt_function **new;

	if (!slot)
		return -1;
	if (*slot != IDMAP_NONE)
		return 0;
	*slot = 0;
	if (!has_code(subject, function))
		return 0;
	new = array_add(&subject->functions);
	if (!new)
		return -1;
	*new = function;
	return 1;
}

/* Returns the function before or after another one in its load object, or NULL. */
static const struct expt_function *neighbour(const struct expt_function *function,
					     bool is_after)
{
	uint64_t start = expt_function_offset(function);
	uint64_t size = expt_function_size(function);

	if (is_after ? size == 0 || start + size < start : start == 0)
		return NULL;
	return expt_object_function(expt_function_object(function),
				    is_after ? start + size : start - 1);
}

/* Functions of one source are next to each other: those without metrics are found from
 * those that have some. */
static bool add_neighbours(struct subject *subject, struct idmap *known,
			   const struct expt_function *function, bool is_after)
{
	int misses = 0;

	while (misses < MISSES_MAX && (function = neighbour(function, is_after))) {
		int added = add_function(subject, known, function);

		if (added < 0)
			return false;
		misses = added ? 0 : misses + 1;
	}
	return true;
}

static int compare_functions(const void *left, const void *right)
{
	const struct expt_function *a = *(const struct expt_function *const *)left;
	const struct expt_function *b = *(const struct expt_function *const *)right;
	size_t object_a = expt_object_index(expt_function_object(a));
	size_t object_b = expt_object_index(expt_function_object(b));

	if (object_a != object_b)
		return object_a < object_b ? -1 : 1;
	return expt_function_offset(a) < expt_function_offset(b)
		       ? -1
		       : expt_function_offset(a) > expt_function_offset(b);
}

static bool add_functions(struct subject *subject, struct session *session,
			  const struct expt_rows *rows)
{
	struct idmap known = { 0 };
	bool is_good = true;

	for (size_t i = 0; i < expt_rows_count(rows) && is_good; i++) {
		const struct expt_function *function = expt_row(rows, i)->function;
		int added = function && expt_row(rows, i)->is_counted &&
					    !session_is_stopped(session)
				    ? add_function(subject, &known, function)
				    : 0;

		is_good = added >= 0;
		if (added > 0)
			is_good = add_neighbours(subject, &known, function, false) &&
				  add_neighbours(subject, &known, function, true);
	}
	idmap_release(&known);
	return is_good;
}

int subject_find_functions(struct subject *subject, struct session *session)
{
	const struct expt_rows *rows = session_rows(session, EXPT_BY_FUNCTION);

	if (!rows)
		return -1;
	if (!add_functions(subject, session, rows))
		return session_out_of_memory(session);
	if (subject->functions.count > 1)
		qsort(subject->functions.items, subject->functions.count,
		      sizeof(*subject->functions.items), compare_functions);
	return 0;
}

/* ---- the head ---- */

/* Print a path, or its last component and where the file was found instead. */
static void print_file(struct session *session, const char *title, const char *path,
		       const char *file)
{
	bool is_elsewhere = path && file && strcmp(path, file) != 0;

	escape_printf(session->out, "%s: %s", title,
		      is_elsewhere ? path_base(path)
		      : path	   ? path
				   : "(unknown)");
	if (is_elsewhere)
		escape_printf(session->out, " (found as %s)", file);
	fputc('\n', session->out);
}

static void print_warnings(const struct subject *subject, struct session *session,
			   const char *problem)
{
	const struct expt_source_info *info =
		subject->source ? expt_source_info(subject->source) : NULL;

	if (problem)
		escape_printf(session->out, "Warning: %s\n", problem);
	if (subject->path && !info)
		escape_printf(session->out,
			      "Warning: cannot find '%s': use setpath, addpath or "
			      "pathmap\n",
			      subject->path);
	if (info && info->is_changed)
		fputs("Warning: the source was changed after it was compiled\n",
		      session->out);
	if (info && info->is_newer)
		fputs("Warning: the source is newer than the load object\n",
		      session->out);
}

void subject_print_head(const struct subject *subject, struct session *session)
{
	const char *problem = NULL;
	const char *file = expt_object_file(subject->object, &problem);
	const char *object = expt_object_path(subject->object);

	print_file(session, "Source file", subject->path,
		   subject->source ? expt_source_info(subject->source)->file : NULL);
	print_file(session, "Object file", object, file);
	print_file(session, "Load Object", object, file);
	print_warnings(subject, session, problem);
	output_gap(&session->output);
}
