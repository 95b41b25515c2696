/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of I/O: number of calls by size, and the time they took. */
#include <inttypes.h>

#include "er_print/io.h"
#include "er_print/run.h"
#include "libexpt/cli/cli.h"

#define KB (INT64_C(1) << 10)
#define MB (INT64_C(1) << 20)
#define GB (INT64_C(1) << 30)
#define TB (INT64_C(1) << 40)

/* Upper limits, inclusive; the labels are gprofng's, which has none for the last. */
static const struct {
	int64_t limit;
	const char *label;
} ranges[] = {
	{ KB, "0KB - 1KB" },	       { 8 * KB, "1KB - 8KB" },
	{ 32 * KB, "8KB - 32KB" },     { 128 * KB, "32KB - 128KB" },
	{ 256 * KB, "128KB - 256KB" }, { 512 * KB, "256KB - 512KB" },
	{ MB, "512KB - 1000KB" },      { 10 * MB, "1000KB - 10MB" },
	{ 100 * MB, "10MB - 100MB" },  { GB, "100MB - 1GB" },
	{ 10 * GB, "1GB - 10GB" },     { 100 * GB, "10GB - 100GB" },
	{ TB, "100GB - 1TB" },	       { 10 * TB, "1TB - 10TB" },
	{ INT64_MAX, "10TB -" },
};
#define RANGE_COUNT (sizeof(ranges) / sizeof(*ranges))

struct transfers {
	int64_t calls, bytes, time_ns, longest_ns;
	int64_t smallest, largest; /* smallest: of calls that moved something */
	int64_t in_range[RANGE_COUNT];
};

struct statistics {
	struct transfers reads, writes;
	int64_t values[IO_METRIC_COUNT];
};

static void add_transfer(struct transfers *sum, const struct io_event *event)
{
	size_t range = 0;

	while (event->bytes > ranges[range].limit)
		range++;
	sum->in_range[range]++;
	sum->calls++;
	add_saturated(&sum->bytes, event->bytes);
	add_saturated(&sum->time_ns, event->duration_ns);
	if (event->duration_ns > sum->longest_ns)
		sum->longest_ns = event->duration_ns;
	if (event->bytes > sum->largest)
		sum->largest = event->bytes;
	if (event->bytes > 0 && (sum->smallest == 0 || event->bytes < sum->smallest))
		sum->smallest = event->bytes;
}

static void add_event(struct statistics *sum, const struct io_event *event)
{
	io_event_measure(event, sum->values);
	if (event->call == EXPT_IO_READ)
		add_transfer(&sum->reads, event);
	else if (event->call == EXPT_IO_WRITE)
		add_transfer(&sum->writes, event);
}

static void read_member(struct session *session, struct statistics *sum,
			const struct member *member)
{
	struct expt_records *records;
	struct expt_record record;
	struct io_event event;
	struct expt_error err;
	int rc = expt_records_open(&records, member->expt, EXPT_IO, &err);

	if (rc == 0) {
		while ((rc = expt_records_next(records, &record, &err)) > 0) {
			io_event_read(&event, &record, NULL);
			add_event(sum, &event);
		}
		expt_records_close(records);
	}
	if (rc < 0)
		session->status = cli_error("%s: %s", member->name, err.message);
}

#define LINE "%-34s"

static void print_time(FILE *out, const char *label, int64_t ns)
{
	fprintf(out, LINE "%.6f (secs.)\n", label, (double)ns / 1e9);
}

static void print_count(FILE *out, const char *label, int64_t count)
{
	fprintf(out, LINE "%" PRId64 "\n", label, count);
}

/* Sizes beyond a gigabyte may have a label of another width. */
static void print_ranges(FILE *out, const struct transfers *sum, int width,
			 int wide_width)
{
	for (size_t i = 0; i < RANGE_COUNT; i++)
		if (sum->in_range[i] > 0)
			fprintf(out, "  %-*s%" PRId64 "\n",
				ranges[i].limit > GB ? wide_width : width,
				ranges[i].label, sum->in_range[i]);
}

static void print_totals(FILE *out, const struct transfers *sum)
{
	print_time(out, "Total time", sum->time_ns);
	print_count(out, "Total calls", sum->calls);
	print_count(out, "Total bytes", sum->bytes);
}

static void print_writes(FILE *out, const struct transfers *sum)
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

static void print_reads(FILE *out, const struct transfers *sum)
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
	struct statistics sum = { 0 };

	if (!io_is_recorded(session))
		return 0;
	for (size_t i = 0; i < session->members.count; i++)
		if (expt_has_data(session->members.items[i].expt, EXPT_IO))
			read_member(session, &sum, &session->members.items[i]);
	print_writes(session->out, &sum.writes);
	print_reads(session->out, &sum.reads);
	print_rest(session->out, "Other I/O", sum.values[IO_OTHER_TIME],
		   sum.values[IO_OTHER_COUNT]);
	print_rest(session->out, "I/O Error", sum.values[IO_ERROR_TIME],
		   sum.values[IO_ERROR_COUNT]);
	fputc('\n', session->out);
	return 0;
}
