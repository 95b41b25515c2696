/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/views/difference.h"

#include <errno.h>
#include <inttypes.h>

#include "libexpt/base/idmap.h"
#include "libexpt/cli/write.h"

/* The probability that an error of the sampling alone makes some function differ as much:
 * it is divided by the number of comparisons, as in er_print. */
#define LEVEL 0.05

struct differences {
	const struct shown *shown;
	const struct groups *groups;
	struct expt_rows *rows;
	struct idmap numbers; /* of functions in the page, by pointer */
	FILE *out;
};

static void write_groups(const struct differences *differences)
{
	const struct groups *groups = differences->groups;
	const struct expt_view *view = differences->shown->view;
	FILE *out = differences->out;

	fputs(",\"groups\":[", out);
	for (size_t i = 0; i < groups->count; i++) {
		if (i > 0)
			putc(',', out);
		write_json_text(out, groups->names[i]);
	}
	fputs("],\"groupOf\":[", out);
	for (size_t i = 0; i < expt_view_count(view); i++)
		fprintf(out, i == 0 ? "%zu" : ",%zu",
			groups->of_founder[expt_view_founder(view, i)]);
	putc(']', out);
}

static bool number_functions(struct differences *differences)
{
	const struct expt_tables *tables = differences->shown->tables;

	for (uint32_t i = EXPT_ROW_FIRST; i < tables->function_count; i++) {
		const struct expt_function *function =
			expt_row(tables->functions, i)->function;
		uint32_t *slot =
			function ? idmap_add(&differences->numbers, (uintptr_t)function)
				 : NULL;

		if (function && !slot)
			return false;
		if (slot)
			*slot = i;
	}
	return true;
}

/* Return the number of a row in the page, or IDMAP_NONE. */
static uint32_t number_of(const struct differences *differences, size_t row)
{
	const struct expt_function *function = expt_row(differences->rows, row)->function;

	return row < EXPT_ROW_FIRST
		       ? (uint32_t)row
		       : idmap_find(&differences->numbers, (uintptr_t)function);
}

/* Return the chance below which a difference is named. */
static double limit_of(const struct differences *differences, size_t metric,
		       enum expt_flavor flavor)
{
	size_t tests = 0;

	for (size_t i = EXPT_ROW_TOTAL + 1; i < expt_rows_count(differences->rows); i++)
		tests += expt_row_value(differences->rows, i, metric, flavor) != 0;
	tests *= differences->groups->count - 1;
	return tests > 0 ? LEVEL / (double)tests : 0;
}

/* Write [function, group, error, is_significant] for each row that has a value. */
static void write_rows(const struct differences *differences, size_t metric,
		       enum expt_flavor flavor)
{
	double limit = limit_of(differences, metric, flavor);
	const char *separator = "";

	for (size_t i = EXPT_ROW_TOTAL + 1; i < expt_rows_count(differences->rows); i++) {
		uint32_t number = number_of(differences, i);

		if (number == IDMAP_NONE ||
		    expt_row_value(differences->rows, i, metric, flavor) == 0)
			continue;
		for (size_t group = 1; group < differences->groups->count; group++) {
			struct expt_difference difference;

			expt_row_difference(differences->rows, i, group, metric, flavor,
					    &difference);
			fprintf(differences->out, "%s[%" PRIu32 ",%zu,%.0f,%d]",
				separator, number, group, difference.error,
				difference.chance < limit);
			separator = ",";
		}
	}
}

/* Only values that are sampled have an error. */
static void write_metrics(const struct differences *differences)
{
	static const char *const names[] = {
		[EXPT_EXCLUSIVE] = "exclusive", [EXPT_INCLUSIVE] = "inclusive"
	};
	const struct shown *shown = differences->shown;
	const char *separator = "";

	fputs(",\"differences\":[", differences->out);
	for (size_t i = 0; i < shown->metric_count; i++) {
		size_t metric = shown->metrics[i];

		if (!expt_metric(shown->view, metric)->is_sampled)
			continue;
		for (int flavor = EXPT_EXCLUSIVE; flavor <= EXPT_INCLUSIVE; flavor++) {
			fprintf(differences->out, "%s{\"metric\":", separator);
			write_json_text(differences->out,
					expt_metric(shown->view, metric)->name);
			fprintf(differences->out, ",\"flavor\":\"%s\",\"rows\":[",
				names[flavor]);
			write_rows(differences, metric, (enum expt_flavor)flavor);
			fputs("]}", differences->out);
			separator = ",";
		}
	}
	putc(']', differences->out);
}

int difference_write(const struct shown *shown, const struct groups *groups, FILE *out,
		     struct expt_error *err)
{
	struct differences differences = { .shown = shown, .groups = groups, .out = out };
	int rc = groups->count < 2 ? 0
				   : expt_view_rows(shown->view, EXPT_BY_FUNCTION,
						    &differences.rows, err);

	if (rc < 0 || groups->count < 2)
		return rc;
	rc = number_functions(&differences) ? 0 : -ENOMEM;
	if (rc == 0) {
		write_groups(&differences);
		write_metrics(&differences);
	}
	idmap_release(&differences.numbers);
	return rc;
}
