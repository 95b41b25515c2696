/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that fold functions of load objects, and show which are. */
#include <inttypes.h>
#include <string.h>

#include "er_print/experiments/loaded_objects.h"
#include "er_print/settings/private.h"
#include "libexpt/base/cleanup.h"

/* ---- the list ---- */

static bool add_line(struct session *session, struct table *table,
		     struct expt_object *object)
{
	static const char *const modes[] = {
		[EXPT_OBJECT_SHOW] = "show",
		[EXPT_OBJECT_HIDE] = "hide",
		[EXPT_OBJECT_API] = "API-only",
	};
	struct cell *cells = table_add_line(table, ' ');
	size_t index = expt_object_index(object);
	char number[24];

	if (!cells)
		return false;
	/* <Total> has number 1. */
	snprintf(number, sizeof(number), "%zu", index + (index > 0));
	cells[0].text = modes[expt_view_object(session->view, object)];
	cells[1].text = table_one_line(table, expt_object_name(object));
	cells[2].text = table_text(table, number);
	cells[3].text = table_one_line(table, expt_object_path(object));
	return cells[1].text && cells[2].text && cells[3].text;
}

static bool add_columns(struct table *table)
{
	static const char *const titles[] = { "Sel", "Load Object", "Index", "Path" };

	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
		struct table_column *column =
			table_add_column(table, titles[i], CELL_TEXT);

		if (!column)
			return false;
		column->is_left = true;
	}
	return true;
}

int run_object_list(struct session *session, int count, char **words)
{
	struct table table = { .is_ruled = true };
	bool is_good = add_columns(&table) && for_each_object(session, &table, add_line);

	if (is_good)
		table_print(&table, 0, &session->output);
	table_release(&table);
	return is_good ? 0 : session_out_of_memory(session);
}

/* ---- settings ---- */

/* Check whether an object has the name. .er.rc is read before there are any. */
static bool is_known(const struct session *session, const char *name)
{
	size_t count = expt_view_count(session->view);

	for (size_t i = 0; i < count; i++) {
		struct expt *expt = expt_view_expt(session->view, i);

		expt_segment_count(expt);
		for (size_t j = 0; j < expt_object_count(expt); j++)
			if (expt_object_has_name(expt_object(expt, j), name))
				return true;
	}
	return count == 0;
}

static int set_mode(struct session *session, const char *name, enum expt_object_mode mode)
{
	struct expt_error err;

	/* Numbers of rows that are not functions change. */
	session->fragment.count = 0;
	if (expt_view_set_object(session->view, name, mode, &err) < 0)
		return session_failed(session, &err);
	return 0;
}

typedef int name_function(struct session *session, const char *name,
			  enum expt_object_mode mode);

static int check_name(struct session *session, const char *name,
		      enum expt_object_mode mode)
{
	return !name || is_known(session, name)
		       ? 0
		       : session_error(session, "no load object '%s'; see object_list",
				       name);
}

/* Call the function for each name in a list, separated by commas; NULL means all. */
static int do_names(struct session *session, const char *words,
		    enum expt_object_mode mode, name_function *function)
{
	cleanup_free char *copy = strdup(words);
	char *rest = NULL;
	int rc = 0;

	if (!copy)
		return session_out_of_memory(session);
	for (char *name = strtok_r(copy, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest))
		if (function(session, strcmp(name, "all") == 0 ? NULL : name, mode) < 0)
			rc = -1;
	return rc;
}

/* Set the mode of objects, and perhaps that of the others, and show the result. If one of
 * the objects is unknown, nothing is changed. */
static int set_modes(struct session *session, const char *words,
		     enum expt_object_mode mode, bool hides_others)
{
	if (do_names(session, words, mode, check_name) < 0)
		return -1;
	if (hides_others && set_mode(session, NULL, EXPT_OBJECT_HIDE) < 0)
		return -1;
	if (do_names(session, words, mode, set_mode) < 0)
		return -1;
	if (expt_view_count(session->view) > 0)
		run_object_list(session, 0, NULL);
	return 0;
}

int run_object_show(struct session *session, int count, char **words)
{
	return set_modes(session, words[1], EXPT_OBJECT_SHOW, false);
}

int run_object_hide(struct session *session, int count, char **words)
{
	return set_modes(session, words[1], EXPT_OBJECT_HIDE, false);
}

int run_object_api(struct session *session, int count, char **words)
{
	return set_modes(session, words[1], EXPT_OBJECT_API, false);
}

int run_object_select(struct session *session, int count, char **words)
{
	return set_modes(session, words[1], EXPT_OBJECT_SHOW, true);
}

int run_objects_default(struct session *session, int count, char **words)
{
	return set_modes(session, "all", EXPT_OBJECT_SHOW, false);
}
