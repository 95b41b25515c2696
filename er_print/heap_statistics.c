/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of allocations and leaks, and the peak of use, as gp-display-text shows them. */
#include <inttypes.h>

#include "er_print/heap.h"
#include "er_print/run.h"

/* Names of the ranges of sizes. */
static const char *const ranges[EXPT_SIZE_RANGES] = {
	"0KB - 1KB",	 "1KB - 8KB",	  "8KB - 32KB",	    "32KB - 128KB",
	"128KB - 256KB", "256KB - 512KB", "512KB - 1000KB", "1000KB - 10MB",
	"10MB - 100MB",	 "100MB - 1GB",	  "1GB - 10GB",	    "10GB - 100GB",
	"100GB - 1TB",	 "1TB - 10TB",	  "10TB and more",
};

#define LINE "-------------------------------------------------------\n"

static void print_ranges(FILE *out, const struct expt_heap_sizes *sizes)
{
	fputs(LINE, out);
	for (size_t i = 0; i < EXPT_SIZE_RANGES; i++)
		if (sizes->ranges[i] > 0)
			fprintf(out, "  %-31s %" PRIu64 "\n", ranges[i],
				sizes->ranges[i]);
	fputc('\n', out);
}

/* Returns the time from the start of the founder, whose clock is used for all. */
static uint64_t start_of(const struct session *session, size_t member)
{
	size_t founder = expt_view_founder(session->view, member);
	uint64_t start = expt_info(expt_view_expt(session->view, member))->start_ns;
	uint64_t first = expt_info(expt_view_expt(session->view, founder))->start_ns;

	return start > first ? start - first : 0;
}

static void print_peak(struct session *session, const struct expt_heap *heap)
{
	uint64_t start = start_of(session, heap->peak_expt);
	FILE *out = session->out;

	fprintf(out, "Process With Highest Peak Memory Usage\n" LINE);
	fprintf(out, "Heap size bytes                   %" PRIu64 "\n", heap->peak_bytes);
	fprintf(out, "Experiment Id                     %zu\n", heap->peak_expt + 1);
	fprintf(out, "Process Id                        %" PRId64 "\n",
		expt_info(expt_view_expt(session->view, heap->peak_expt))->pid);
	for (size_t i = 0; i < heap->peak_count; i++)
		fprintf(out, "Time of peak                      %.3f (secs.)\n",
			((double)start + (double)heap->peak_times_ns[i]) / 1e9);
	fputc('\n', out);
}

static void print_allocated(FILE *out, const struct expt_heap_sizes *sizes)
{
	fputs("Memory Allocations Statistics\n"
	      "Allocation Size Range             Allocations          \n",
	      out);
	print_ranges(out, sizes);
	fprintf(out, "Smallest allocation bytes         %" PRIu64 "\n", sizes->smallest);
	fprintf(out, "Largest allocation bytes          %" PRIu64 "\n", sizes->largest);
	fprintf(out, "Total allocations                 %" PRIu64 "\n", sizes->count);
	fprintf(out, "Total bytes                       %" PRId64 "\n\n", sizes->bytes);
}

static void print_leaked(FILE *out, const struct expt_heap_sizes *sizes)
{
	fputs("Memory Leaks Statistics\n"
	      "Leak Size Range                   Leaks              \n",
	      out);
	print_ranges(out, sizes);
	fprintf(out, "Smallest leaked bytes             %" PRIu64 "\n", sizes->smallest);
	fprintf(out, "Largest leaked bytes              %" PRIu64 "\n", sizes->largest);
	fprintf(out, "Total leaked                      %" PRIu64 " \n", sizes->count);
	fprintf(out, "Total bytes                       %" PRId64 "\n\n", sizes->bytes);
}

int run_heapstat(struct session *session, int count, char **words)
{
	const struct expt_heap *heap;
	struct expt_error err;

	if (!heap_is_there(session))
		return heap_report_none(session, "");
	if (expt_view_heap(session->view, &heap, &err) < 0)
		return session_failed(session, &err);
	session_report_problems(session);
	fputc('\n', session->out);
	if (heap->peak_bytes > 0)
		print_peak(session, heap);
	if (heap->allocated.count > 0)
		print_allocated(session->out, &heap->allocated);
	if (heap->leaked.count > 0)
		print_leaked(session->out, &heap->leaked);
	return 0;
}
