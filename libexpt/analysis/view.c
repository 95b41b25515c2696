/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments of a view, and their metrics. */
#include "libexpt/events/view.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "libexpt/accesses/access.h"
#include "libexpt/analysis/object_modes.h"
#include "libexpt/analysis/rows.h"
#include "libexpt/analysis/view_members.h"
#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/events/filter.h"
#include "libexpt/events/index_types.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/residents.h"
#include "libexpt/kinds/kinds.h"

/* Forget the sums, and all that expressions saw. */
static void forget_sums(struct expt_view *view)
{
	rows_forget(view);
	stack_sums_forget(view);
	filter_reset(view);
	index_types_reset(view);
}

/* Forget what was read, and what the kinds found. */
static void forget(struct expt_view *view)
{
	forget_sums(view);
	accesses_close(view->accesses);
	view->accesses = NULL;
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (view->uses[i].own) {
			view->uses[i].kind->forget(view->uses[i].own);
			view->uses[i].own = NULL;
		}
}

/* ---- metrics ---- */

static bool is_offered(const struct expt_view *view, const struct kind_use *use,
		       size_t metric)
{
	for (size_t i = 0; i < view->members.count; i++)
		if (use->kind->offers(use, view->members.items[i].expt, metric))
			return true;
	return false;
}

/* Add the metrics of a kind. Values are kept only for those that can be shown. */
static void add_metrics(struct expt_view *view, struct kind_use *use)
{
	use->base = view->metric_count;
	for (size_t i = 0; i < use->count; i++) {
		size_t number = view->metric_count++;
		bool has_data = is_offered(view, use, i);

		view->metrics[number] = (struct expt_metric){
			.name = use->forms[i].name,
			.title = use->forms[i].title,
			.column = use->forms[i].column,
			.unit = use->forms[i].unit,
			.data = use->kind->data,
			.is_offered = has_data,
			.is_sampled = use->kind->is_sampled,
			.has_data_objects = use->with_data >> i & 1,
		};
		view->places[number] = has_data ? view->width++ : PLACE_NONE;
		view->square_places[number] = has_data && use->kind->is_sampled
						      ? view->squares_width++
						      : PLACE_NONE;
	}
}

/* Find the metrics of the current experiments. false: out of memory. */
static bool find_metrics(struct expt_view *view)
{
	view->metric_count = view->width = view->squares_width = 0;
	for (size_t i = 0; i < KIND_COUNT; i++) {
		struct kind_use *use = &view->uses[i];

		*use = (struct kind_use){
			.kind = data_kinds[i],
			.forms = data_kinds[i]->metrics,
			.count = data_kinds[i]->metric_count,
		};
		if (use->kind->declare && !use->kind->declare(view, use))
			return false;
		add_metrics(view, use);
	}
	return true;
}

size_t expt_metric_count(const struct expt_view *view)
{
	return view->metric_count;
}

const struct expt_metric *expt_metric(const struct expt_view *view, size_t i)
{
	return &view->metrics[i];
}

size_t expt_metric_find(const struct expt_view *view, const char *name)
{
	for (size_t i = 0; i < view->metric_count; i++)
		if (view->metrics[i].is_offered &&
		    strcasecmp(view->metrics[i].name, name) == 0)
			return i;
	return EXPT_METRIC_NONE;
}

size_t expt_metric_first(const struct expt_view *view, enum expt_data data)
{
	for (size_t i = 0; i < view->metric_count; i++)
		if (view->metrics[i].data == data)
			return i;
	return EXPT_METRIC_NONE;
}

/* ---- experiments ---- */

int expt_view_new(struct expt_view **out, struct expt_error *err)
{
	struct expt_view *view = calloc(1, sizeof(*view));

	if (!view || !find_metrics(view) || !index_types_add_first(view)) {
		expt_view_free(view);
		return expt_refuse(err, -ENOMEM, "out of memory");
	}
	view->groups = 1;
	view->timed_metric = EXPT_METRIC_NONE;
	*out = view;
	return 0;
}

void expt_view_set_stop(struct expt_view *view, const volatile int *stop)
{
	view->stop = stop;
}

void expt_view_free(struct expt_view *view)
{
	if (!view)
		return;
	forget(view);
	while (view->members.count > 0)
		view_member_close(&view->members.items[--view->members.count]);
	array_release(&view->members);
	array_release(&view->problems);
	idmap_release(&view->problem_keys);
	filter_release(view);
	index_types_release(view);
	object_modes_release(&view->object_modes);
	arena_release(&view->texts);
	free(view);
}

int expt_view_add(struct expt_view *view, struct expt *expt,
		  const struct expt_view_options *options, struct expt_error *err)
{
	size_t founder = view->members.count;

	forget(view);
	if (!view_members_add(view, expt, founder))
		return expt_refuse(err, -ENOMEM, "out of memory");
	view->founders++;
	residents_use(view, founder);
	if (!view_members_open(view, founder, options) || !find_metrics(view))
		return expt_refuse(err, -ENOMEM, "out of memory");
	return 0;
}

void expt_view_remove(struct expt_view *view, size_t i)
{
	size_t end = i + 1;

	forget(view);
	view->residents = (struct residents){ .count = 0 };
	while (end < view->members.count && view->members.items[end].founder == i)
		end++;
	for (size_t j = end; j > i; j--)
		view_member_close(&view->members.items[j - 1]);
	for (size_t j = end; j < view->members.count; j++) {
		view->members.items[j - (end - i)] = view->members.items[j];
		view->members.items[j - (end - i)].founder -= end - i;
	}
	view->members.count -= end - i;
	view->founders--;
	find_metrics(view);
}

void expt_view_set_outlined(struct expt_view *view, bool is_outlined)
{
	/* Expressions see functions in the same way. */
	if (view->is_outlined != is_outlined)
		forget_sums(view);
	view->is_outlined = is_outlined;
}

int expt_view_set_object(struct expt_view *view, const char *name,
			 enum expt_object_mode mode, struct expt_error *err)
{
	rows_forget(view);
	if (!object_modes_set(&view->object_modes, name, mode))
		return expt_refuse(err, -ENOMEM, "out of memory");
	return 0;
}

enum expt_object_mode expt_view_object(const struct expt_view *view,
				       const struct expt_object *object)
{
	return object_modes_find(&view->object_modes, object);
}

void expt_view_set_inlined(struct expt_view *view, bool is_inlined)
{
	if (view->is_inlined != is_inlined)
		rows_forget(view);
	view->is_inlined = is_inlined;
}

bool expt_view_is_inlined(const struct expt_view *view)
{
	return view->is_inlined;
}

size_t expt_view_count(const struct expt_view *view)
{
	return view->members.count;
}

struct expt *expt_view_expt(const struct expt_view *view, size_t i)
{
	return view->members.items[i].expt;
}

const char *expt_view_name(const struct expt_view *view, size_t i)
{
	return view->members.items[i].name;
}

size_t expt_view_founder(const struct expt_view *view, size_t i)
{
	return view->members.items[i].founder;
}

/* ---- comparison ---- */

size_t expt_view_groups(const struct expt_view *view)
{
	return view->groups;
}

void expt_view_set_groups(struct expt_view *view, size_t groups)
{
	rows_forget(view);
	view->groups = groups > 0 ? groups : 1;
	for (size_t i = 0; i < view->members.count; i++)
		if (view->members.items[i].group >= view->groups)
			view->members.items[i].group = 0;
}

void expt_view_set_group(struct expt_view *view, size_t founder, size_t group)
{
	rows_forget(view);
	for (size_t i = founder; i < view->members.count; i++)
		if (view->members.items[i].founder == founder)
			view->members.items[i].group = group;
}

/* ---- modes ---- */

enum expt_mode expt_view_mode(const struct expt_view *view)
{
	return view->mode;
}

void expt_view_set_mode(struct expt_view *view, enum expt_mode mode)
{
	if (mode != view->mode)
		rows_forget(view);
	view->mode = mode;
}
