/* SPDX-License-Identifier: Apache-2.0 */
/* The filter and the selections of a view, and the words of expressions. */
#include "libexpt/events/filter.h"

#include <errno.h>
#include <strings.h>

#include "libexpt/analysis/rows.h"
#include "libexpt/common/error.h"
#include "libexpt/events/evaluation.h"
#include "libexpt/events/index_types.h"
#include "libexpt/expression/expression.h"
#include "libexpt/expression/selection.h"

/* Put an expression in the place of another one, or of none. */
static int replace(struct expt_view *view, struct evaluation **place,
		   struct expression *expression, struct expt_error *err)
{
	struct evaluation *evaluation = expression ? evaluation_new(expression) : NULL;

	if (expression && !evaluation)
		return expt_refuse(err, -ENOMEM, "out of memory");
	rows_forget(view);
	stack_sums_forget(view);
	evaluation_free(*place);
	*place = evaluation;
	return 0;
}

int expt_view_set_filter(struct expt_view *view, const char *text, struct expt_error *err)
{
	struct expression *expression = NULL;
	int rc = text ? view_parse(&expression, view, text, err) : 0;

	return rc < 0 ? rc : replace(view, &view->filter, expression, err);
}

const char *expt_view_filter(const struct expt_view *view)
{
	return view->filter ? evaluation_text(view->filter) : NULL;
}

/* ---- selections ---- */

static const enum expression_word words[EXPT_SUBSET_COUNT] = {
	[EXPT_SAMPLES] = EXPRESSION_SAMPLE,
	[EXPT_LWPS] = EXPRESSION_LWPID,
	[EXPT_THREADS] = EXPRESSION_THRID,
	[EXPT_CPUS] = EXPRESSION_CPUID,
};

int expt_view_select(struct expt_view *view, enum expt_subset subset, const char *list,
		     struct expt_error *err)
{
	struct expression *expression = NULL;
	bool is_all = !list || strcasecmp(list, "all") == 0;
	int rc = is_all ? 0
			: expression_parse_selection(&expression, words[subset], list,
						     err);

	return rc < 0 ? rc : replace(view, &view->selections[subset], expression, err);
}

/* A number of an experiment, of which nothing else is known. */
struct number {
	enum expression_word word;
	size_t member;
	uint64_t value;
};

static bool number_value(void *context, enum expression_word word, int64_t *value)
{
	const struct number *number = context;

	if (word == EXPRESSION_EXPID)
		*value = (int64_t)number->member + 1;
	else
		*value = (int64_t)number->value;
	return word == EXPRESSION_EXPID || word == number->word;
}

bool expt_view_is_selected(const struct expt_view *view, enum expt_subset subset)
{
	return view->selections[subset];
}

/* Without a number the result is unknown, unless the experiment decides it. */
bool expt_view_selects_any(const struct expt_view *view, enum expt_subset subset,
			   size_t i)
{
	struct number wanted = { EXPRESSION_WORD_COUNT, i, 0 };
	struct expression_facts facts = { .context = &wanted, .value = number_value };
	struct evaluation_result result;

	if (!view->selections[subset])
		return true;
	result = evaluation_of_facts(view->selections[subset], &facts);
	return !result.is_known || result.value;
}

bool expt_view_selects(const struct expt_view *view, enum expt_subset subset, size_t i,
		       uint64_t number)
{
	struct number wanted = { words[subset], i, number };
	struct expression_facts facts = { .context = &wanted, .value = number_value };
	struct evaluation_result result;

	if (subset == EXPT_CPUS && view->sums &&
	    idmap_find(&view->sums->members[i].cpus.ids, number) == IDMAP_NONE)
		return false;
	if (!view->selections[subset])
		return true;
	result = evaluation_of_facts(view->selections[subset], &facts);
	return result.is_known && result.value;
}

/* ---- words ---- */

size_t expt_word_count(void)
{
	return EXPRESSION_WORD_COUNT;
}

struct expt_word expt_word(size_t i)
{
	const struct expression_word_info *info =
		expression_word_info((enum expression_word)i);

	return (struct expt_word){ info->name, info->title };
}
