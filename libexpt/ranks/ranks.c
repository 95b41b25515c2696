/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/idmap.h"
#include "libexpt/events/filter.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/stack_sums.h"
#include "libexpt/format.h"
#include "libexpt/ranks/private.h"

#define NS_PER_SECOND INT64_C(1000000000)
#define TIME_MAX      (INT64_C(1) << 61) /* ns */

void expt_ranks_free(struct expt_ranks *ranks)
{
	if (!ranks)
		return;
	array_release(&ranks->list);
	array_release(&ranks->routes);
	free(ranks);
}

static void release(struct reader *reader)
{
	array_release(&reader->hosts);
	free(reader->numbers);
	idmap_release(&reader->by_number);
	array_release(&reader->sent);
	array_release(&reader->received);
	clocks_release(&reader->host_clocks);
	clocks_release(&reader->rank_clocks);
}

/* ---- ranks ---- */

static bool add_host(struct reader *reader, const struct expt_info *info, size_t *number)
{
	struct host *host;

	for (*number = 0; *number < reader->hosts.count; ++*number)
		if (strcmp(reader->hosts.items[*number].name, info->host) == 0)
			return true;
	host = array_add(&reader->hosts);
	if (!host)
		return false;
	host->name = info->host;
	if (__builtin_mul_overflow(info->started_at, NS_PER_SECOND, &host->guess_ns) ||
	    __builtin_sub_overflow(host->guess_ns, (int64_t)info->start_ns,
				   &host->guess_ns) ||
	    host->guess_ns < -TIME_MAX || host->guess_ns > TIME_MAX)
		host->guess_ns = 0;
	return true;
}

static bool add_rank(struct reader *reader, const struct expt *expt, int64_t number)
{
	uint32_t *place = idmap_add(&reader->by_number, (uint64_t)number);
	struct rank *rank;

	if (!place)
		return false;
	if (*place != IDMAP_NONE)
		return true;
	rank = array_add(&reader->ranks->list);
	if (!rank)
		return false;
	*place = (uint32_t)(reader->ranks->list.count - 1);
	rank->shown.rank = number;
	rank->shown.host = expt_info(expt)->host;
	return add_host(reader, expt_info(expt), &rank->host);
}

static int compare_ranks(const void *left, const void *right)
{
	const struct rank *a = left, *b = right;

	return a->shown.rank < b->shown.rank ? -1 : a->shown.rank > b->shown.rank;
}

static bool add_ranks(struct reader *reader)
{
	const struct view_member *members = reader->view->members.items;
	struct expt_ranks *ranks = reader->ranks;

	for (size_t i = 0; i < reader->view->members.count; i++)
		if (reader->numbers[i] >= 0 &&
		    !add_rank(reader, members[i].expt, reader->numbers[i]))
			return false;
	if (ranks->list.count > 0)
		qsort(ranks->list.items, ranks->list.count, sizeof(*ranks->list.items),
		      compare_ranks);
	for (size_t i = 0; i < ranks->list.count; i++)
		*idmap_add(&reader->by_number,
			   (uint64_t)ranks->list.items[i].shown.rank) = (uint32_t)i;
	return true;
}

/* ---- events ---- */

static int64_t value_of(const struct expt_record *record, enum expt_field field)
{
	int64_t value = 0;

	expt_record_value(record, field, &value);
	return value;
}

/* Differences and sums of a few times do not overflow. */
static bool is_time(int64_t time_ns)
{
	return time_ns >= -TIME_MAX && time_ns <= TIME_MAX;
}

static bool add_message(struct reader *reader, const struct expt_record *record,
			uint32_t rank)
{
	bool is_sent = value_of(record, EXPT_MPISCOUNT) > 0;
	int64_t peer = value_of(record, EXPT_MPIPEER);
	uint32_t other = peer < 0 ? IDMAP_NONE
				  : idmap_find(&reader->by_number, (uint64_t)peer);
	int64_t time_ns = value_of(record, is_sent ? EXPT_MPIRQST : EXPT_TSTAMP);
	struct rank_message *message;

	if (other == IDMAP_NONE || !is_time(time_ns))
		return true;
	message = array_add(is_sent ? &reader->sent : &reader->received);
	if (!message)
		return false;
	*message = (struct rank_message){
		.from = is_sent ? rank : other,
		.to = is_sent ? other : rank,
		.communicator = value_of(record, EXPT_MPICOMM),
		.time_ns = time_ns,
		.bytes = value_of(record, is_sent ? EXPT_MPISBYTES : EXPT_MPIRBYTES),
		.tag = (int32_t)value_of(record, EXPT_MPITAG),
	};
	return true;
}

static bool add_record(struct reader *reader, const struct expt_record *record,
		       uint32_t number)
{
	struct expt_rank *rank = &reader->ranks->list.items[number].shown;
	int64_t sends = value_of(record, EXPT_MPISCOUNT),
		receives = value_of(record, EXPT_MPIRCOUNT), time_ns;

	if (!__builtin_sub_overflow(value_of(record, EXPT_TSTAMP),
				    value_of(record, EXPT_MPIRQST), &time_ns))
		add_saturated(&rank->time_ns, time_ns);
	rank->calls += value_of(record, EXPT_MPITYPE) != EXPT_MPI_MESSAGE;
	add_saturated(&rank->sends, sends);
	add_saturated(&rank->sent, value_of(record, EXPT_MPISBYTES));
	add_saturated(&rank->receives, receives);
	add_saturated(&rank->received, value_of(record, EXPT_MPIRBYTES));
	return (sends == 1) == (receives == 1) || add_message(reader, record, number);
}

static bool read_member(struct reader *reader, size_t member, uint32_t number)
{
	struct expt *expt = reader->view->members.items[member].expt;
	bool is_filtered = filter_is_set(reader->view), is_good = true, keeps = true;
	struct expt_records *records;
	struct expt_record record;
	struct expt_error err;

	if (!expt_has_data(expt, EXPT_MPI))
		return true;
	if (expt_records_open(&records, expt, EXPT_MPI, &err) < 0) {
		view_add_failure(reader->view, member, &err);
		return true;
	}
	while (is_good && expt_records_next(records, &record, NULL) > 0) {
		is_good = !view_is_stopped(reader->view) &&
			  (!is_filtered ||
			   filter_keeps_record(reader->view, member, &record, &keeps));
		if (is_good && keeps)
			is_good = add_record(reader, &record, number);
	}
	expt_records_close(records);
	return is_good;
}

static bool read_members(struct reader *reader)
{
	if (filter_is_set(reader->view) && !stack_sums_get(reader->view))
		return false;
	for (size_t i = 0; i < reader->view->members.count; i++)
		if (reader->numbers[i] >= 0 &&
		    !read_member(reader, i,
				 idmap_find(&reader->by_number,
					    (uint64_t)reader->numbers[i])))
			return false;
	return true;
}

/* ---- routes ---- */

static int compare_routes(const struct expt_route *route,
			  const struct rank_message *message)
{
	if (route->from != message->from)
		return route->from < message->from ? -1 : 1;
	return route->to < message->to ? -1 : route->to > message->to;
}

/* Count a message in its route: that of the last one, or a new one. */
static bool count_message(struct expt_ranks *ranks, const struct rank_message *message,
			  bool is_sent)
{
	size_t count = ranks->routes.count;
	struct expt_route *route = count ? &ranks->routes.items[count - 1] : NULL;

	if (!route || compare_routes(route, message) != 0) {
		route = array_add(&ranks->routes);
		if (!route)
			return false;
		route->from = message->from;
		route->to = message->to;
	}
	route->sends += is_sent;
	route->receives += !is_sent;
	add_saturated(is_sent ? &route->sent : &route->received, message->bytes);
	return true;
}

static bool is_of_later_route(const struct rank_message *a, const struct rank_message *b)
{
	return a->from != b->from ? a->from > b->from : a->to > b->to;
}

/* The messages are in the order of their routes. */
static bool count_messages(struct reader *reader)
{
	const struct rank_messages *sent = &reader->sent, *received = &reader->received;
	size_t i = 0, j = 0;

	while (i < sent->count || j < received->count) {
		bool is_sent = j == received->count ||
			       (i < sent->count &&
				!is_of_later_route(&sent->items[i], &received->items[j]));

		if (!count_message(reader->ranks,
				   is_sent ? &sent->items[i++] : &received->items[j++],
				   is_sent))
			return false;
	}
	return true;
}

static void add_to_route(void *context, const struct rank_message *sent,
			 const struct rank_message *received)
{
	struct reader *reader = context;
	struct expt_route *route = reader->route;
	int64_t start = ranks_time(reader, sent->from, sent->time_ns);
	int64_t taken = ranks_time(reader, sent->to, received->time_ns);

	while (compare_routes(route, sent) < 0)
		route++;
	reader->route = route;
	if (taken < start) {
		route->early++;
		taken = start;
	}
	if (__builtin_sub_overflow(taken, start, &taken))
		taken = INT64_MAX;
	if (route->pairs++ == 0 || taken < route->shortest_ns)
		route->shortest_ns = taken;
	add_saturated(&route->total_ns, taken);
}

/* Times of such messages are only bounds. */
static void warn_of_early(struct reader *reader, size_t founder)
{
	int64_t early = 0;

	for (size_t i = 0; i < reader->ranks->routes.count; i++)
		early += reader->ranks->routes.items[i].early;
	if (early > 0)
		view_add_problem(reader->view, false,
				 "%s: %" PRId64 " messages were received before they "
				 "were sent, by clocks that do not go steadily: their "
				 "transfer counts as 0",
				 reader->view->members.items[founder].name, early);
}

static bool read_all(struct reader *reader, size_t founder)
{
	if (!ranks_number(reader, founder) || !add_ranks(reader) ||
	    !read_members(reader) || !messages_sort(&reader->sent) ||
	    !messages_sort(&reader->received) || !ranks_align(reader) ||
	    !count_messages(reader))
		return false;
	reader->route = reader->ranks->routes.items;
	messages_pair(&reader->sent, &reader->received, add_to_route, reader);
	warn_of_early(reader, founder);
	return true;
}

int expt_ranks_find(struct expt_ranks **out, struct expt_view *view, size_t founder,
		    struct expt_error *err)
{
	cleanup(release) struct reader reader = {
		.view = view,
		.ranks = calloc(1, sizeof(*reader.ranks)),
	};

	if (!reader.ranks || !read_all(&reader, founder)) {
		expt_ranks_free(reader.ranks);
		return view_refuse(view, err);
	}
	*out = reader.ranks;
	return 0;
}

size_t expt_ranks_count(const struct expt_ranks *ranks)
{
	return ranks->list.count;
}

const struct expt_rank *expt_rank(const struct expt_ranks *ranks, size_t i)
{
	return &ranks->list.items[i].shown;
}

size_t expt_routes_count(const struct expt_ranks *ranks)
{
	return ranks->routes.count;
}

const struct expt_route *expt_route(const struct expt_ranks *ranks, size_t i)
{
	return &ranks->routes.items[i];
}
