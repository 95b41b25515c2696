/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of I/O: number of calls by size, and the time they took. */
#include <inttypes.h>

#include "er_print/io.h"
#include "er_print/run.h"

/* Labels of the ranges of sizes, as in gprofng, where the last one has no end. Those
 * beyond a gigabyte may have another width. */
static const char *const ranges[EXPT_SIZE_RANGES] = {
	"0KB - 1KB",	 "1KB - 8KB",	  "8KB - 32KB",	    "32KB - 128KB",
	"128KB - 256KB", "256KB - 512KB", "512KB - 1000KB", "1000KB - 10MB",
	"10MB - 100MB",	 "100MB - 1GB",	  "1GB - 10GB",	    "10GB - 100GB",
	"100GB - 1TB",	 "1TB - 10TB",	  "10TB -",
};
#define FIRST_WIDE 10

#define LINE "%-34s"

static void print_time(FILE *out, const char *label, int64_t ns)
{
	fprintf(out, LINE "%.6f (secs.)\n", label, (double)ns / 1e9);
}

static void print_count(FILE *out, const char *label, int64_t count)
{
	fprintf(out, LINE "%" PRId64 "\n", label, count);
}

static void print_ranges(FILE *out, const struct expt_transfers *sum, int width,
			 int wide_width)
{
	for (size_t i = 0; i < EXPT_SIZE_RANGES; i++)
		if (sum->ranges[i] > 0)
			fprintf(out, "  %-*s%" PRId64 "\n",
				i < FIRST_WIDE ? width : wide_width, ranges[i],
				sum->ranges[i]);
}

static void print_totals(FILE *out, const struct expt_transfers *sum)
{
	print_time(out, "Total time", sum->time_ns);
	print_count(out, "Total calls", sum->calls);
	print_count(out, "Total bytes", sum->bytes);
}

static void print_writes(FILE *out, const struct expt_transfers *sum)
{
	if (sum->calls == 0)
		return;
	fputs("\nWrite Statistics\n"
	      "I/O Size Range                    Write Calls          \n"
	      "-------------------------------------------------------\n",
	      out);
	print_ranges(out, sum, 32, 31);
	fputc('\n', out);
	print_time(out, "Longest write", sum->longest_ns);
	print_count(out, "Smallest write bytes", sum->smallest);
	print_count(out, "Largest write bytes", sum->largest);
	print_totals(out, sum);
}

static void print_reads(FILE *out, const struct expt_transfers *sum)
{
	if (sum->calls == 0)
		return;
	fputs("\nRead Statistics\n"
	      "I/O Size Range                    Read Calls         \n"
	      "------------------------------------------------------\n",
	      out);
	print_ranges(out, sum, 32, 32);
	fputc('\n', out);
	print_time(out, "Longest time", sum->longest_ns);
	print_count(out, "Smallest read bytes", sum->smallest);
	print_count(out, "Largest read bytes", sum->largest);
	print_totals(out, sum);
}

static void print_rest(FILE *out, const char *title, int64_t time_ns, int64_t calls)
{
	if (calls == 0)
		return;
	fprintf(out,
		"\n%s "
		"Statistics\n-----------------------------------------------------\n",
		title);
	print_time(out, "Total time", time_ns);
	fprintf(out, LINE "%" PRId64 " \n", "Total calls", calls);
}

int run_iostat(struct session *session, int count, char **words)
{
	struct expt_error err;
	struct expt_io io;

	if (!io_is_recorded(session))
		return 0;
	if (expt_view_io(session->view, &io, &err) < 0)
		return session_failed(session, &err);
	session_report_problems(session);
	print_writes(session->out, &io.writes);
	print_reads(session->out, &io.reads);
	print_rest(session->out, "Other I/O", io.values[EXPT_OTHER_TIME],
		   io.values[EXPT_OTHER_COUNT]);
	print_rest(session->out, "I/O Error", io.values[EXPT_ERROR_TIME],
		   io.values[EXPT_ERROR_COUNT]);
	fputc('\n', session->out);
	return 0;
}
