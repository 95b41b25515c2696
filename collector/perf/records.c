/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/records.h"

#include <stdlib.h>
#include <string.h>

#include "collector/perf/spool.h"
#include "libexpt/cli/cli.h"

#define SPOOLED	   (UINT64_C(1) << 63)
#define RECORD_MAX 65536
#define LEAST	   16 /* bytes of a record that says anything */

static struct place place_of(const struct found *found)
{
	return (struct place){ found->offset & ~SPOOLED, (found->offset & SPOOLED) != 0 };
}

/* Returns the record, aligned, or NULL after a message. */
static const struct perf_event_header *read_record(struct records *records,
						   struct place place)
{
	struct recording *recording = records->recording;
	struct perf_event_header header;
	const void *bytes =
		recording_view(recording, place.is_spooled, place.offset, sizeof(header));

	if (!bytes)
		return NULL;
	memcpy(&header, bytes, sizeof(header));
	if (header.size < sizeof(header)) {
		recording_damaged(recording, place.is_spooled, place.offset,
				  "a record of %u bytes", header.size);
		return NULL;
	}
	bytes = recording_view(recording, place.is_spooled, place.offset, header.size);
	if (!bytes)
		return NULL;
	memcpy(records->bytes, bytes, header.size);
	return (const void *)records->bytes;
}

int records_parse(struct records *records, const struct found *found, struct event *event)
{
	struct place place = place_of(found);
	const struct perf_event_header *header = read_record(records, place);

	return header ? event_parse(event, records->recording, header, place)
		      : CLI_FAILED;
}

/* ---- finding ---- */

struct search {
	struct records *records;
	struct spool *spool;
	int directory;
	uint64_t spool_at; /* what was found there so far */
	uint64_t last_ns;
};

static int add(struct search *search, const struct perf_event_header *header,
	       struct place place)
{
	struct records *records = search->records;
	struct event event;

	if (header->size < LEAST)
		return CLI_OK;
	if (event_parse(&event, records->recording, header, place) != CLI_OK)
		return CLI_FAILED;
	if (records->count == records->room) {
		size_t room = 2 * records->room + 4096;
		struct found *grown = realloc(records->items, room * sizeof(*grown));

		if (!grown)
			return cli_error("out of memory");
		records->items = grown;
		records->room = room;
	}
	if (!event_kinds_have_times(records->recording))
		event.record.time_ns = 0;
	records->items[records->count++] = (struct found){
		.time_ns = event.record.time_ns,
		.offset = place.offset | (place.is_spooled ? SPOOLED : 0),
	};
	if (header->type == PERF_RECORD_LOST || header->type == PERF_RECORD_LOST_SAMPLES)
		records->lost += event.record.value;
	return CLI_OK;
}

/* The processes that perf was asked to record; the first is -1 for all. */
static void look_at_targets(struct records *records,
			    const struct perf_event_header *header)
{
	uint64_t count, pid;

	if (header->size < sizeof(*header) + 2 * sizeof(uint64_t))
		return;
	memcpy(&count, header + 1, sizeof(count));
	memcpy(&pid, (const char *)(header + 1) + sizeof(count), sizeof(pid));
	records->is_system_wide = count == 1 && (uint32_t)pid == UINT32_MAX;
}

static int find_spooled(struct search *search);

static int decompress(struct search *search, const struct perf_event_header *header,
		      struct place place)
{
	struct recording *recording = search->records->recording;
	size_t skipped = header->type == PERF_TYPE_COMPRESSED2 ? sizeof(uint64_t) : 0;
	size_t size = header->size - sizeof(*header);
	const char *bytes = (const char *)(header + 1) + skipped;
	uint64_t used;

	if (place.is_spooled || size < skipped)
		return recording_damaged(recording, place.is_spooled, place.offset,
					 "a compressed record");
	size -= skipped;
	if (skipped > 0) { /* the rest is padding */
		memcpy(&used, header + 1, sizeof(used));
		size = used < size ? (size_t)used : size;
	}
	if (!search->spool)
		search->spool = spool_open(recording, search->directory);
	if (!search->spool ||
	    spool_add(search->spool, bytes, size, place.offset) != CLI_OK)
		return CLI_FAILED;
	return find_spooled(search);
}

/* Returns the bytes that follow a record and do not belong to it. */
static uint64_t bytes_after(const struct perf_event_header *header)
{
	uint64_t size = 0;

	if (header->type == PERF_TYPE_TRACING_DATA && header->size >= 12) {
		memcpy(&size, header + 1, sizeof(uint32_t));
		size = (size + 7) & ~UINT64_C(7);
	} else if (header->type == PERF_TYPE_AUXTRACE && header->size >= 16) {
		memcpy(&size, header + 1, sizeof(size));
	}
	return size;
}

static int take(struct search *search, const struct perf_event_header *header,
		struct place place)
{
	switch (header->type) {
	case PERF_TYPE_COMPRESSED:
	case PERF_TYPE_COMPRESSED2:
		return decompress(search, header, place);
	case PERF_TYPE_THREAD_MAP:
		look_at_targets(search->records, header);
		return CLI_OK;
	}
	return header->type < PERF_TYPE_USER ? add(search, header, place) : CLI_OK;
}

/* A record may continue in the next compressed one. */
static bool is_whole(struct search *search)
{
	const struct recording *recording = search->records->recording;
	uint64_t rest = recording->spool_size - search->spool_at;
	struct perf_event_header header;
	const void *bytes;

	if (rest < sizeof(header))
		return false;
	bytes = recording_view(search->records->recording, true, search->spool_at,
			       sizeof(header));
	if (!bytes)
		return false;
	memcpy(&header, bytes, sizeof(header));
	return header.size <= rest;
}

static int find_spooled(struct search *search)
{
	/* The file has grown. */
	search->records->recording->window.fd = -1;
	while (is_whole(search)) {
		struct place place = { search->spool_at, true };
		const struct perf_event_header *header =
			read_record(search->records, place);

		if (!header || take(search, header, place) != CLI_OK)
			return CLI_FAILED;
		if (bytes_after(header) > 0)
			return recording_damaged(search->records->recording, true,
						 place.offset,
						 "a record of type %u there",
						 header->type);
		search->spool_at += header->size;
	}
	return CLI_OK;
}

/* Where perf was killed, the last record may be cut off. */
static bool is_cut_off(const struct search *search, uint64_t at, uint64_t end)
{
	struct recording *recording = search->records->recording;
	struct perf_event_header header;
	const void *bytes;

	if (!recording->is_unfinished)
		return false;
	if (end - at < sizeof(header))
		return true;
	bytes = recording_view(recording, false, at, sizeof(header));
	if (bytes)
		memcpy(&header, bytes, sizeof(header));
	return bytes && header.size > end - at;
}

static int find(struct search *search)
{
	struct recording *recording = search->records->recording;
	uint64_t at = recording->data.offset, end = at + recording->data.size;

	while (at < end) {
		struct place place = { at, false };
		const struct perf_event_header *header;
		uint64_t size, after;

		if (*search->records->stop)
			return CLI_FAILED;
		if (is_cut_off(search, at, end))
			return CLI_OK;
		if (end - at < sizeof(*header))
			return recording_damaged(recording, false, at,
						 "the data end in a record");
		header = read_record(search->records, place);
		if (!header)
			return CLI_FAILED;
		size = header->size;
		after = bytes_after(header);
		if (take(search, header, place) != CLI_OK)
			return CLI_FAILED;
		if (size > end - at || after > end - at - size)
			return recording_damaged(recording, false, at,
						 "a record of %llu bytes",
						 (unsigned long long)(size + after));
		at += size + after;
	}
	return CLI_OK;
}

/* ---- ordering ---- */

/* Records of one time stay in the order of the file; that of the spool is later. */
static int compare(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

int records_read(struct records *records, struct recording *recording, int directory,
		 const volatile int *stop)
{
	struct search search = { .records = records, .directory = directory };
	int status;

	*records = (struct records){ .recording = recording, .stop = stop };
	records->bytes = malloc(RECORD_MAX);
	if (!records->bytes)
		return cli_error("out of memory");
	status = find(&search);
	spool_close(search.spool);
	if (status == CLI_OK && records->count > 0)
		qsort(records->items, records->count, sizeof(*records->items), compare);
	return status;
}

void records_release(struct records *records)
{
	free(records->items);
	free(records->bytes);
}
