/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/experiments/selected.h"

#include <inttypes.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"

/* CPUs have their numbers in the system; other things are numbered from 1 on. */
#define CPU_LIMIT 4096

struct range {
	uint64_t first, last;
};

static void add_range(struct strbuf *text, const struct range *range)
{
	strbuf_printf(text, "%s%" PRIu64, *strbuf_text(text) ? "," : "", range->first);
	if (range->last > range->first)
		strbuf_printf(text, "-%" PRIu64, range->last);
}

/* Returns how many numbers are selected. */
static uint64_t list_numbers(const struct expt_view *view, struct strbuf *text,
			     enum expt_subset subset, size_t member, uint64_t total)
{
	bool is_cpu = subset == EXPT_CPUS, is_open = false;
	uint64_t end = is_cpu ? CPU_LIMIT : total + 1, count = 0;
	struct range range = { 0, 0 };

	for (uint64_t i = is_cpu ? 0 : 1; i < end; i++) {
		bool is_selected = expt_view_selects(view, subset, member, i);

		if (is_selected && !is_open)
			range.first = i;
		if (is_selected)
			range.last = i;
		if (!is_selected && is_open)
			add_range(text, &range);
		is_open = is_selected;
		count += is_selected;
	}
	if (is_open)
		add_range(text, &range);
	return count;
}

const char *selected_numbers(const struct session *session, struct table *table,
			     enum expt_subset subset, size_t member, uint64_t total)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	uint64_t count;

	if (!expt_view_is_selected(session->view, subset))
		return "all";
	count = list_numbers(session->view, &text, subset, member, total);
	return count == 0 ? "none" : table_text(table, strbuf_text(&text));
}

bool is_experiment_selected(const struct session *session, size_t member)
{
	for (int i = 0; i < EXPT_SUBSET_COUNT; i++)
		if (!expt_view_selects_any(session->view, (enum expt_subset)i, member))
			return false;
	return true;
}
