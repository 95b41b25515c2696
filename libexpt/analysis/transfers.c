/* SPDX-License-Identifier: Apache-2.0 */
/* Totals of I/O: the number of calls by size, and the time they took. */
#include "libexpt/events/filter.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/residents.h"
#include "libexpt/events/stack_sums.h"
#include "libexpt/kinds/io.h"

static void add_transfer(struct expt_transfers *sum, const struct io_event *event)
{
	sum->ranges[event->bytes > 0 ? expt_size_range((uint64_t)event->bytes) : 0]++;
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

static void add_event(struct expt_io *io, const struct io_event *event)
{
	io_event_measure(event, io->values);
	if (event->call == EXPT_IO_READ)
		add_transfer(&io->reads, event);
	else if (event->call == EXPT_IO_WRITE)
		add_transfer(&io->writes, event);
}

/* false: out of memory, or stopped. */
static bool read_member(struct expt_view *view, struct expt_io *io, size_t member)
{
	struct expt_records *records;
	struct expt_record record;
	struct io_event event;
	struct expt_error err;
	bool is_good = true, keeps;
	int rc;

	residents_use(view, member);
	rc = expt_records_open(&records, view->members.items[member].expt, EXPT_IO, &err);
	if (rc == 0) {
		while (is_good && (rc = expt_records_next(records, &record, &err)) > 0) {
			is_good = !view_is_stopped(view) &&
				  filter_keeps_record(view, member, &record, &keeps);
			if (!is_good || !keeps)
				continue;
			io_event_read(&event, &record, NULL);
			add_event(io, &event);
		}
		expt_records_close(records);
	}
	if (rc < 0)
		view_add_failure(view, member, &err);
	return is_good;
}

int expt_view_io(struct expt_view *view, struct expt_io *io, struct expt_error *err)
{
	*io = (struct expt_io){ 0 };
	/* Threads are numbered there, and a filter may use the numbers. */
	if (filter_is_set(view) && !stack_sums_get(view))
		return view_refuse(view, err);
	for (size_t i = 0; i < view->members.count; i++)
		if (expt_has_data(view->members.items[i].expt, EXPT_IO) &&
		    !read_member(view, io, i))
			return view_refuse(view, err);
	return 0;
}
