/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of allocations and leaks, and the peak of use, as gp-display-text shows them. */
#include <inttypes.h>

#include "er_print/aggregate.h"
#include "er_print/heap.h"
#include "er_print/run.h"
#include "er_print/stack_sums.h"

static struct heap_summary *summary_of(struct session *session)
{
	struct aggregate *aggregate = session_aggregate(session);

	return aggregate ? stack_sums_summary(aggregate, &heap_kind) : NULL;
}

#define LINE "-------------------------------------------------------\n"

static void print_ranges(FILE *out, const struct heap_sizes *sizes)
{
	fputs(LINE, out);
	for (size_t i = 0; i < HEAP_RANGES; i++)
		if (sizes->ranges[i] > 0)
			fprintf(out, "  %-31s %" PRIu64 "\n", heap_range_name(i),
				sizes->ranges[i]);
	fputc('\n', out);
}

/* Returns the time from the start of the founder, whose clock is used for all. */
static uint64_t start_of(const struct session *session, size_t member)
{
	const struct member *members = session->members.items;
	size_t founder = member;
	uint64_t start, first;

	while (founder > 0 && members[founder - 1].founder == members[member].founder)
		founder--;
	start = expt_info(members[member].expt)->start_ns;
	first = expt_info(members[founder].expt)->start_ns;
	return start > first ? start - first : 0;
}

static void print_peak(struct session *session, const struct heap_summary *summary)
{
	const struct member *member = &session->members.items[summary->peak_member];
	uint64_t start = start_of(session, summary->peak_member);
	FILE *out = session->out;

	fprintf(out, "Process With Highest Peak Memory Usage\n" LINE);
	fprintf(out, "Heap size bytes                   %" PRIu64 "\n",
		summary->peak.bytes);
	fprintf(out, "Experiment Id                     %" PRIu32 "\n",
		summary->peak_member + 1);
	fprintf(out, "Process Id                        %" PRId64 "\n",
		expt_info(member->expt)->pid);
	for (size_t i = 0; i < summary->peak.moments.count; i++)
		fprintf(out, "Time of peak                      %.3f (secs.)\n",
			((double)start + (double)summary->peak.moments.items[i].time_ns) /
				1e9);
	fputc('\n', out);
}

static void print_allocated(FILE *out, const struct heap_sizes *sizes)
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

static void print_leaked(FILE *out, const struct heap_sizes *sizes)
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
	const struct heap_summary *summary;

	if (!heap_is_there(session))
		return heap_report_none(session, "");
	summary = summary_of(session);
	if (!summary)
		return -1;
	fputc('\n', session->out);
	if (summary->peak.bytes > 0)
		print_peak(session, summary);
	if (summary->allocated.count > 0)
		print_allocated(session->out, &summary->allocated);
	if (summary->leaked.count > 0)
		print_leaked(session->out, &summary->leaked);
	return 0;
}
