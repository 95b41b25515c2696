/* SPDX-License-Identifier: Apache-2.0 */
/* The call stacks that allocated the blocks of a data object. */
#include <stdlib.h>

#include "er_print/data/private.h"
#include "er_print/rows/accesses.h"
#include "er_print/rows/frames.h"
#include "libexpt/base/array.h"
#include "libexpt/base/escape.h"

struct keys {
	struct access_key *items;
	size_t count, capacity;
};

static int compare(const void *left, const void *right, void *context)
{
	const bool *is_reversed = context;

	return access_keys_compare(left, right, *is_reversed);
}

/* false: out of memory. */
static bool sort(const struct session *session, const struct accesses *accesses,
		 struct keys *keys)
{
	size_t metric = accesses_sort_metric(session, accesses);
	bool is_reversed = session->data_metrics.is_reversed;

	for (size_t i = 0; i < expt_traces_count(accesses->traces); i++) {
		struct access_key *key;

		if (!accesses_are_any(accesses, i))
			continue;
		key = array_add(keys);
		if (!key)
			return false;
		*key = (struct access_key){ i, accesses_value(accesses, i, metric) };
	}
	if (keys->count > 1)
		qsort_r(keys->items, keys->count, sizeof(*keys->items), compare,
			&is_reversed);
	return true;
}

static void print(struct session *session, const struct accesses *accesses,
		  const struct keys *keys)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	if (keys->count == 0) {
		fputs("\nNo allocation of its blocks is known\n", session->out);
		return;
	}
	accesses_add(session, accesses, ACCESSES_TOTAL, &text);
	fprintf(session->out,
		"\nAllocations of its blocks: Distinct Allocations = %zu%s\n",
		keys->count, strbuf_text(&text));
	for (size_t i = 0; i < keys->count && (!session->limit || i < session->limit);
	     i++) {
		strbuf_clear(&text);
		accesses_add(session, accesses, keys->items[i].trace, &text);
		fputc('\n', session->out);
		escape_printf(session->out, "Allocation #%zu%s\n", i + 1,
			      strbuf_text(&text));
		frames_print(session, accesses->traces, keys->items[i].trace);
	}
}

int print_allocations(struct session *session, struct expt_rows *rows, size_t row)
{
	size_t heap = expt_metric_first(session->view, EXPT_HEAP);
	struct accesses accesses;
	struct keys keys = { 0 };
	struct expt_error err;
	int rc = 0;

	if (!expt_metric(session->view, heap)->is_offered) {
		fputs("\nHeap trace information was not requested when recording "
		      "experiments\n",
		      session->out);
		return 0;
	}
	if (expt_block_traces_find(&accesses.traces, session->view, rows, row, &err) < 0)
		return session_failed(session, &err);
	session_report_problems(session);
	accesses_choose_all(session, &accesses);
	if (sort(session, &accesses, &keys))
		print(session, &accesses, &keys);
	else
		rc = session_out_of_memory(session);
	array_release(&keys);
	expt_traces_free(accesses.traces);
	return rc;
}
