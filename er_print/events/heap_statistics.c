/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of allocations and leaks, and the peak of use, as gp-display-text shows them. */
#include "er_print/events/heap.h"
#include "er_print/events/panel.h"
#include "er_print/events/private.h"

/* Names of the ranges of sizes. */
static const char *const ranges[EXPT_SIZE_RANGES] = {
	"0KB - 1KB",	 "1KB - 8KB",	  "8KB - 32KB",	    "32KB - 128KB",
	"128KB - 256KB", "256KB - 512KB", "512KB - 1000KB", "1000KB - 10MB",
	"10MB - 100MB",	 "100MB - 1GB",	  "1GB - 10GB",	    "10GB - 100GB",
	"100GB - 1TB",	 "1TB - 10TB",	  "10TB and more",
};

#define LINE "-------------------------------------------------------\n"

static void add_ranges(struct panel *panel, const struct expt_heap_sizes *sizes)
{
	for (size_t i = 0; i < EXPT_SIZE_RANGES; i++)
		if (sizes->ranges[i] > 0)
			panel_range(panel, PANEL_WIDTH, ranges[i],
				    (int64_t)sizes->ranges[i]);
}

/* Returns the time from the start of the founder, whose clock is used for all. */
static uint64_t start_of(const struct session *session, size_t member)
{
	size_t founder = expt_view_founder(session->view, member);
	uint64_t start = expt_info(expt_view_expt(session->view, member))->start_ns;
	uint64_t first = expt_info(expt_view_expt(session->view, founder))->start_ns;

	return start > first ? start - first : 0;
}

static void add_peak(struct panel *panel, const struct expt_heap *heap)
{
	struct session *session = panel->session;
	uint64_t start = start_of(session, heap->peak_expt);

	panel_section(panel, "Process With Highest Peak Memory Usage",
		      "Process With Highest Peak Memory Usage\n" LINE);
	panel_count(panel, "Heap size bytes", (int64_t)heap->peak_bytes, "");
	panel_count(panel, "Experiment Id", (int64_t)heap->peak_expt + 1, "");
	panel_count(panel, "Process Id",
		    expt_info(expt_view_expt(session->view, heap->peak_expt))->pid, "");
	for (size_t i = 0; i < heap->peak_count; i++)
		panel_seconds(panel, "Time of peak", start + heap->peak_times_ns[i], 3);
	output_gap(&session->output);
}

static void add_allocated(struct panel *panel, const struct expt_heap_sizes *sizes)
{
	panel_section(panel, "Memory Allocations Statistics",
		      "Memory Allocations Statistics\n"
		      "Allocation Size Range             Allocations          \n" LINE);
	add_ranges(panel, sizes);
	output_gap(&panel->session->output);
	panel_count(panel, "Smallest allocation bytes", (int64_t)sizes->smallest, "");
	panel_count(panel, "Largest allocation bytes", (int64_t)sizes->largest, "");
	panel_count(panel, "Total allocations", (int64_t)sizes->count, "");
	panel_count(panel, "Total bytes", sizes->bytes, "");
	output_gap(&panel->session->output);
}

static void add_leaked(struct panel *panel, const struct expt_heap_sizes *sizes)
{
	panel_section(panel, "Memory Leaks Statistics",
		      "Memory Leaks Statistics\n"
		      "Leak Size Range                   Leaks              \n" LINE);
	add_ranges(panel, sizes);
	output_gap(&panel->session->output);
	panel_count(panel, "Smallest leaked bytes", (int64_t)sizes->smallest, "");
	panel_count(panel, "Largest leaked bytes", (int64_t)sizes->largest, "");
	panel_count(panel, "Total leaked", (int64_t)sizes->count, " ");
	panel_count(panel, "Total bytes", sizes->bytes, "");
	output_gap(&panel->session->output);
}

int run_heapstat(struct session *session, int count, char **words)
{
	const struct expt_heap *heap;
	struct expt_error err;
	struct panel panel;

	if (!heap_is_there(session))
		return heap_report_none(session, "");
	if (expt_view_heap(session->view, &heap, &err) < 0)
		return session_failed(session, &err);
	session_report_problems(session);
	panel_begin(&panel, session);
	output_gap(&session->output);
	if (heap->peak_bytes > 0)
		add_peak(&panel, heap);
	if (heap->allocated.count > 0)
		add_allocated(&panel, &heap->allocated);
	if (heap->leaked.count > 0)
		add_leaked(&panel, &heap->leaked);
	return panel_end(&panel, "Heap statistics");
}
