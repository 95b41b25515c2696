/* SPDX-License-Identifier: Apache-2.0 */
/* The clocks of ranks: those of their hosts, and small errors of each process. */
#include "libexpt/base/number.h"
#include "libexpt/ranks/private.h"

static size_t ranks_host(const struct reader *reader, uint32_t rank)
{
	return reader->ranks->list.items[rank].host;
}

int64_t ranks_time(const struct reader *reader, uint32_t rank, int64_t time_ns)
{
	return clocks_time(&reader->rank_clocks, rank,
			   clocks_time(&reader->host_clocks, ranks_host(reader, rank),
				       time_ns));
}

static void add_to_hosts(void *context, const struct rank_message *sent,
			 const struct rank_message *received)
{
	struct reader *reader = context;
	size_t from = ranks_host(reader, sent->from), to = ranks_host(reader, sent->to);

	if (from != to &&
	    !clocks_add(&reader->host_clocks, from, to, sent->time_ns, received->time_ns))
		reader->is_full = true;
}

static void add_to_ranks(void *context, const struct rank_message *sent,
			 const struct rank_message *received)
{
	struct reader *reader = context;
	const struct clocks *hosts = &reader->host_clocks;

	if (sent->from != sent->to &&
	    !clocks_add(&reader->rank_clocks, sent->from, sent->to,
			clocks_time(hosts, ranks_host(reader, sent->from), sent->time_ns),
			clocks_time(hosts, ranks_host(reader, sent->to),
				    received->time_ns)))
		reader->is_full = true;
}

typedef bool clock_step(struct clocks *clocks);

static bool align_hosts(struct reader *reader)
{
	static clock_step *const steps[] = { clocks_align, clocks_align, clocks_bend,
					     clocks_bend, clocks_bend };
	struct clocks *clocks = &reader->host_clocks;

	if (!clocks_begin(clocks, reader->hosts.count))
		return false;
	for (size_t i = 0; i < clocks->count; i++)
		if (__builtin_sub_overflow(reader->hosts.items[i].guess_ns,
					   reader->hosts.items[0].guess_ns,
					   &clocks->lines[i].offset_ns))
			clocks->lines[i].offset_ns = 0;
	for (size_t i = 0; clocks->count > 1 && i < sizeof(steps) / sizeof(*steps); i++) {
		messages_pair(&reader->sent, &reader->received, add_to_hosts, reader);
		if (reader->is_full || !steps[i](clocks))
			return false;
	}
	return true;
}

/* Each process computes the time of its host from a counter, with an error of its own. */
bool ranks_align(struct reader *reader)
{
	struct clocks *clocks = &reader->rank_clocks;

	if (!align_hosts(reader) || !clocks_begin(clocks, reader->ranks->list.count))
		return false;
	messages_pair(&reader->sent, &reader->received, add_to_ranks, reader);
	if (reader->is_full || !clocks_correct(clocks))
		return false;
	for (size_t i = 0; i < clocks->count; i++) {
		int64_t *offset = &reader->ranks->list.items[i].shown.offset_ns;

		*offset = reader->host_clocks.lines[ranks_host(reader, (uint32_t)i)]
				  .offset_ns;
		add_saturated(offset, clocks->lines[i].offset_ns);
	}
	return true;
}
