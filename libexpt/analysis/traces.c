/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks that look the same: of the same places in the same functions, whatever
 * epoch, process or copy of a library they are from. */
#include "libexpt/analysis/traces.h"

#include <errno.h>
#include <stdlib.h>

#include "libexpt/analysis/rows.h"
#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/events/problems.h"

struct trace {
	struct stack_sum stack;	 /* one of them: the first */
	struct figures figures;	 /* not made: there are none */
	struct figures accesses; /* the same */
};

struct expt_traces {
	struct expt_view *view;
	struct expt_rows *functions;
	bool owns_functions;
	struct {
		struct trace *items;
		size_t count, capacity;
	} list;
	struct idmap by_key;
	struct arena values;
	struct frame_list frames;
};

void expt_traces_free(struct expt_traces *traces)
{
	if (!traces)
		return;
	array_release(&traces->list);
	idmap_release(&traces->by_key);
	arena_release(&traces->values);
	array_release(&traces->frames);
	if (traces->owns_functions)
		rows_free(traces->functions);
	free(traces);
}

/* Make the key of a stack. false: out of memory. */
static bool key_of(struct expt_traces *traces, const struct stack_sum *sum, bool apart,
		   uint64_t *key)
{
	int end = frames_find(&traces->frames, traces->view, sum);

	*key = IDMAP_KEY;
	if (end < 0)
		return false;
	if (apart)
		*key = idmap_key(*key, &sum->member, sizeof(sum->member));
	for (size_t i = 0; i < traces->frames.count; i++) {
		const struct expt_place *place = &traces->frames.items[i];
		uint64_t words[2] = {
			rows_of_function(traces->functions, place->function),
			place->offset,
		};

		if (words[0] == IDMAP_NONE)
			return false;
		*key = idmap_key(*key, words, sizeof(words));
	}
	*key = idmap_key(*key, &end, sizeof(end));
	return true;
}

/* ---- sums ---- */

uint32_t traces_of_stack(struct expt_traces *traces, const struct stack_sum *sum,
			 bool apart)
{
	struct trace *trace;
	uint32_t *slot;
	uint64_t key;

	if (!key_of(traces, sum, apart, &key))
		return IDMAP_NONE;
	slot = idmap_add(&traces->by_key, key);
	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	trace = array_add(&traces->list);
	if (!trace)
		return IDMAP_NONE;
	trace->stack = *sum;
	return *slot = (uint32_t)traces->list.count - 1;
}

/* Make figures, unless that was done. false: out of memory. */
static bool make(struct expt_traces *traces, struct figures *figures)
{
	return figures->values || figures_make(figures, traces->view, 1, &traces->values);
}

struct figures *traces_accesses(struct expt_traces *traces, uint32_t number)
{
	struct figures *accesses = &traces->list.items[number].accesses;

	return make(traces, accesses) ? accesses : NULL;
}

static bool add_stack(struct expt_traces *traces, const struct stack_sum *sum, bool apart)
{
	uint32_t number = traces_of_stack(traces, sum, apart);
	struct figures *figures;

	if (number == IDMAP_NONE)
		return false;
	figures = &traces->list.items[number].figures;
	if (!make(traces, figures))
		return false;
	figures_add(traces->view, figures, 0, &sum->figures);
	return true;
}

static bool has_data(const struct expt_view *view, const struct stack_sum *sum,
		     enum expt_data data)
{
	for (size_t i = 0; i < view->metric_count; i++)
		if (view->metrics[i].data == data &&
		    figures_value(view, &sum->figures, 0, i) != 0)
			return true;
	return false;
}

static bool add_stacks(struct expt_traces *traces, enum expt_data data, bool apart)
{
	const struct expt_view *view = traces->view;

	for (size_t i = 0; i < view->sums->stacks.count; i++)
		if (view_is_stopped(view) ||
		    (has_data(view, &view->sums->stacks.items[i], data) &&
		     !add_stack(traces, &view->sums->stacks.items[i], apart)))
			return false;
	return true;
}

struct expt_traces *traces_new(struct expt_view *view)
{
	static const struct stack_sums none;
	struct expt_traces *traces = calloc(1, sizeof(*traces));

	if (!traces)
		return NULL;
	traces->view = view;
	traces->functions = rows_new(view, EXPT_BY_FUNCTION, &none);
	traces->owns_functions = true;
	if (traces->functions)
		return traces;
	expt_traces_free(traces);
	return NULL;
}

int expt_traces_find(struct expt_traces **out, struct expt_view *view,
		     enum expt_data data, bool apart, struct expt_error *err)
{
	struct expt_traces *traces = calloc(1, sizeof(*traces));

	if (traces) {
		traces->view = view;
		traces->functions = rows_get(view, EXPT_BY_FUNCTION);
		if (traces->functions && add_stacks(traces, data, apart)) {
			*out = traces;
			return 0;
		}
	}
	expt_traces_free(traces);
	return view_refuse(view, err);
}

size_t expt_traces_count(const struct expt_traces *traces)
{
	return traces->list.count;
}

static int64_t value_of(const struct expt_traces *traces, const struct figures *figures,
			size_t metric)
{
	return figures->values ? figures_value(traces->view, figures, 0, metric) : 0;
}

int64_t expt_trace_value(const struct expt_traces *traces, size_t i, size_t metric)
{
	return value_of(traces, &traces->list.items[i].figures, metric);
}

int64_t expt_trace_accesses(const struct expt_traces *traces, size_t i, size_t metric)
{
	return value_of(traces, &traces->list.items[i].accesses, metric);
}

uint64_t expt_trace_uid(const struct expt_traces *traces, size_t i)
{
	return traces->list.items[i].stack.uid;
}

int expt_trace_frames(struct expt_traces *traces, size_t i, struct expt_frames *frames,
		      struct expt_error *err)
{
	return frames_show(&traces->frames, traces->view, &traces->list.items[i].stack,
			   frames, err);
}
