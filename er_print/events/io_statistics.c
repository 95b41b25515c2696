/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of I/O: number of calls by size, and the time they took. */
#include "er_print/events/io.h"
#include "er_print/events/panel.h"
#include "er_print/events/private.h"

/* Labels of the ranges of sizes, as in gprofng, where the last one has no end. Those
 * beyond a gigabyte may have another width. */
static const char *const ranges[EXPT_SIZE_RANGES] = {
	"0KB - 1KB",	 "1KB - 8KB",	  "8KB - 32KB",	    "32KB - 128KB",
	"128KB - 256KB", "256KB - 512KB", "512KB - 1000KB", "1000KB - 10MB",
	"10MB - 100MB",	 "100MB - 1GB",	  "1GB - 10GB",	    "10GB - 100GB",
	"100GB - 1TB",	 "1TB - 10TB",	  "10TB -",
};
#define FIRST_WIDE 10

static void add_ranges(struct panel *panel, const struct expt_transfers *sum,
		       int wide_width)
{
	for (size_t i = 0; i < EXPT_SIZE_RANGES; i++)
		if (sum->ranges[i] > 0)
			panel_range(panel, i < FIRST_WIDE ? PANEL_WIDTH : wide_width,
				    ranges[i], sum->ranges[i]);
}

static void add_seconds(struct panel *panel, const char *label, int64_t ns)
{
	panel_seconds(panel, label, (uint64_t)ns, 6);
}

static void add_totals(struct panel *panel, const struct expt_transfers *sum)
{
	add_seconds(panel, "Total time", sum->time_ns);
	panel_count(panel, "Total calls", sum->calls, "");
	panel_count(panel, "Total bytes", sum->bytes, "");
}

static void add_writes(struct panel *panel, const struct expt_transfers *sum)
{
	if (sum->calls == 0)
		return;
	panel_section(panel, "Write Statistics",
		      "\nWrite Statistics\n"
		      "I/O Size Range                    Write Calls          \n"
		      "-------------------------------------------------------\n");
	add_ranges(panel, sum, PANEL_WIDTH - 1);
	output_gap(&panel->session->output);
	add_seconds(panel, "Longest write", sum->longest_ns);
	panel_count(panel, "Smallest write bytes", sum->smallest, "");
	panel_count(panel, "Largest write bytes", sum->largest, "");
	add_totals(panel, sum);
}

static void add_reads(struct panel *panel, const struct expt_transfers *sum)
{
	if (sum->calls == 0)
		return;
	panel_section(panel, "Read Statistics",
		      "\nRead Statistics\n"
		      "I/O Size Range                    Read Calls         \n"
		      "------------------------------------------------------\n");
	add_ranges(panel, sum, PANEL_WIDTH);
	output_gap(&panel->session->output);
	add_seconds(panel, "Longest time", sum->longest_ns);
	panel_count(panel, "Smallest read bytes", sum->smallest, "");
	panel_count(panel, "Largest read bytes", sum->largest, "");
	add_totals(panel, sum);
}

#define LINE "-----------------------------------------------------\n"

static void add_rest(struct panel *panel, const char *section, const char *lines,
		     int64_t time_ns, int64_t calls)
{
	if (calls == 0)
		return;
	panel_section(panel, section, lines);
	add_seconds(panel, "Total time", time_ns);
	panel_count(panel, "Total calls", calls, " ");
}

int run_iostat(struct session *session, int count, char **words)
{
	struct expt_error err;
	struct expt_io io;
	struct panel panel;

	if (!io_is_recorded(session))
		return 0;
	if (expt_view_io(session->view, &io, &err) < 0)
		return session_failed(session, &err);
	session_report_problems(session);
	panel_begin(&panel, session);
	add_writes(&panel, &io.writes);
	add_reads(&panel, &io.reads);
	add_rest(&panel, "Other I/O Statistics", "\nOther I/O Statistics\n" LINE,
		 io.values[EXPT_OTHER_TIME], io.values[EXPT_OTHER_COUNT]);
	add_rest(&panel, "I/O Error Statistics", "\nI/O Error Statistics\n" LINE,
		 io.values[EXPT_ERROR_TIME], io.values[EXPT_ERROR_COUNT]);
	output_gap(&session->output);
	return panel_end(&panel, "I/O statistics");
}
