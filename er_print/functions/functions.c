/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of functions, lines and addresses, and lookup by name. */
#include "er_print/functions/functions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/functions/private.h"
#include "er_print/rows/rows.h"
#include "libexpt/base/array.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"

int run_functions(struct session *session, int count, char **words)
{
	return rows_print_all(session, EXPT_BY_FUNCTION);
}

int run_pcs(struct session *session, int count, char **words)
{
	return rows_print_all(session, EXPT_BY_PC);
}

int run_lines(struct session *session, int count, char **words)
{
	return rows_print_all(session, EXPT_BY_LINE);
}

/* ---- finding a function by its name ---- */

static bool has_name(const struct expt_row *row, const char *name)
{
	const char *const *aliases;

	if (!row->function)
		return strcmp(row->name, name) == 0;
	for (int form = EXPT_NAME_LONG; form <= EXPT_NAME_MANGLED; form++)
		if (strcmp(expt_function_name(row->function, (enum expt_name_form)form),
			   name) == 0)
			return true;
	aliases = expt_function_aliases(row->function);
	for (; aliases && *aliases; aliases++)
		if (strcmp(*aliases, name) == 0)
			return true;
	return false;
}

struct matches {
	const struct expt_rows *rows;
	uint32_t *items;
	size_t count, capacity;
};

static const struct expt_row *match_row(const struct matches *matches,
					const uint32_t *match)
{
	return expt_row(matches->rows, *match);
}

/* Order by object, then by address. */
static int compare_matches(const void *left, const void *right, void *context)
{
	const struct expt_row *a = match_row(context, left),
			      *b = match_row(context, right);
	size_t object_a, object_b;

	if (!a->function || !b->function)
		return (a->function != NULL) - (b->function != NULL);
	object_a = expt_object_index(expt_function_object(a->function));
	object_b = expt_object_index(expt_function_object(b->function));
	if (object_a != object_b)
		return object_a < object_b ? -1 : 1;
	return expt_function_offset(a->function) < expt_function_offset(b->function) ? -1
										     : 1;
}

static void print_choices(struct session *session, const struct matches *matches)
{
	fprintf(session->out, "Available name list:\n%8d) Cancel\n", 0);
	for (size_t i = 0; i < matches->count; i++) {
		const struct expt_row *row = match_row(matches, &matches->items[i]);
		char buffer[4096];

		fprintf(session->out, "%8zu) %s", i + 1,
			session_row_name(session, row, buffer, sizeof(buffer)));
		if (row->function)
			fprintf(session->out, " %s:0x%08" PRIx64,
				expt_object_path(expt_function_object(row->function)),
				expt_function_offset(row->function));
		fputc('\n', session->out);
	}
}

/* Check whether there would be a row if inlined functions had rows of their own. */
static bool is_inlined_only(struct session *session, const char *name)
{
	bool has_row;

	if (expt_view_is_inlined(session->view))
		return false;
	expt_view_set_inlined(session->view, true);
	has_row = has_function(session, name);
	expt_view_set_inlined(session->view, false);
	return has_row;
}

int refuse_name(struct session *session, const char *what, const char *name)
{
	return session_error(session, "no %s '%s' with recorded metrics%s", what, name,
			     is_inlined_only(session, name)
				     ? ": it is inlined; 'inline on' shows it"
				     : "");
}

/* Choose among functions of the same name: the first unless a number is given. */
static int64_t choose_match(struct session *session, const struct matches *matches,
			    const char *name, const char *number)
{
	uint64_t chosen = 1;

	if (matches->count == 0)
		return refuse_name(session, "function", name);
	if (number &&
	    (!number_u64(&chosen, number) || chosen < 1 || chosen > matches->count)) {
		session_error(session, "invalid number '%s'", number);
		print_choices(session, matches);
		return -1;
	}
	if (!number && matches->count > 1) {
		cli_warn("found %zu functions '%s': using the first", matches->count,
			 name);
	}
	return matches->items[chosen - 1];
}

bool has_function(struct session *session, const char *name)
{
	const struct expt_rows *rows = session_rows(session, EXPT_BY_FUNCTION);

	for (size_t i = 0; rows && i < expt_rows_count(rows); i++)
		if (expt_row(rows, i)->is_counted && has_name(expt_row(rows, i), name))
			return true;
	return false;
}

int64_t find_function(struct session *session, int count, char **words)
{
	struct matches matches = { .rows = session_rows(session, EXPT_BY_FUNCTION) };
	int64_t row = -1;
	bool is_good = matches.rows;

	for (size_t i = 0; is_good && i < expt_rows_count(matches.rows); i++)
		if (expt_row(matches.rows, i)->is_counted &&
		    has_name(expt_row(matches.rows, i), words[1])) {
			uint32_t *new = array_add(&matches);

			is_good = new;
			if (new)
				*new = (uint32_t)i;
		}
	if (is_good) {
		if (matches.count > 1)
			qsort_r(matches.items, matches.count, sizeof(*matches.items),
				compare_matches, &matches);
		row = choose_match(session, &matches, words[1],
				   count > 2 ? words[2] : NULL);
	}
	array_release(&matches);
	return row;
}
