/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/event.h"

#include <limits.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "collector/perf/features.h"
#include "libexpt/cli/cli.h"

/* A sample that stands for more is a wrong one. */
#define PERIOD_MAX (UINT64_C(1) << 45)

#define HAS_BUILD_ID  (1u << 14)	  /* in the header of MMAP2 */
#define HAS_INDEX     (UINT64_C(1) << 17) /* of a branch stack */
#define ID_SIZE	      20
#define REGISTERS_ALL 64

/* The bytes of a record that are not used yet. */
struct body {
	const char *at, *end;
	bool has_failed;
};

static const char *take(struct body *body, uint64_t size)
{
	const char *bytes = body->at;

	if (body->has_failed || size > (uint64_t)(body->end - body->at)) {
		body->has_failed = true;
		return NULL;
	}
	body->at += size;
	return bytes;
}

static uint64_t take_u64(struct body *body)
{
	uint64_t value = 0;
	const char *bytes = take(body, sizeof(value));

	if (bytes)
		memcpy(&value, bytes, sizeof(value));
	return value;
}

/* Two halves of a word. */
static void take_u32s(struct body *body, uint32_t *first, uint32_t *second)
{
	uint64_t word = take_u64(body);

	*first = (uint32_t)word;
	*second = (uint32_t)(word >> 32);
}

/* ---- samples ---- */

static uint64_t words(struct body *body, uint64_t count, unsigned size)
{
	return count > (uint64_t)(body->end - body->at) ? UINT64_MAX : count * size;
}

static void skip_counts(struct body *body, uint64_t format)
{
	unsigned each =
		1 + ((format & PERF_FORMAT_ID) != 0) + ((format & PERF_FORMAT_LOST) != 0);
	unsigned times = ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0) +
			 ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0);
	uint64_t count = format & PERF_FORMAT_GROUP ? take_u64(body) : 1;

	take(body, times * 8);
	take(body, words(body, count, each * 8));
}

static void take_chain(struct body *body, struct perf_record *record)
{
	record->pc_count = take_u64(body);
	record->pcs = (const void *)take(body, words(body, record->pc_count, 8));
	if (body->has_failed)
		record->pc_count = 0;
}

static void skip_raw(struct body *body)
{
	uint32_t size = 0;
	const char *bytes = take(body, sizeof(size));

	if (bytes)
		memcpy(&size, bytes, sizeof(size));
	take(body, size);
}

static void skip_branches(struct body *body, const struct perf_event_attr *attr)
{
	uint64_t count = take_u64(body);

	if (attr->branch_sample_type & HAS_INDEX)
		take(body, 8);
	take(body, words(body, count, 24));
}

/* Those of the mask, in the order of bits, to the order of RECORD_REGISTERS. */
static void take_registers(struct body *body, const struct perf_event_attr *attr,
			   struct event *event)
{
	uint64_t kind = take_u64(body), mask = attr->sample_regs_user;
	unsigned place = 0;

	if (kind == 0)
		return;
	for (unsigned bit = 0; bit < REGISTERS_ALL; bit++) {
		uint64_t value = mask >> bit & 1 ? take_u64(body) : 0;

		if (RECORD_REGISTERS >> bit & 1)
			event->registers[place++] = value;
	}
	if (kind == RECORD_REGISTERS_64_BIT && !body->has_failed &&
	    (mask & RECORD_REGISTERS) == RECORD_REGISTERS)
		event->record.registers = event->registers;
}

static void take_stack(struct body *body, struct event *event)
{
	uint64_t size = take_u64(body), used;
	const char *bytes = take(body, size);

	if (size == 0 || !bytes)
		return;
	used = take_u64(body);
	event->record.stack = bytes;
	event->record.stack_size = used < size ? used : size;
	event->is_cut = used >= size;
}

/* A clock of a frequency has nanoseconds. */
static uint64_t period_of(const struct perf_event_attr *attr)
{
	if (!attr->freq || attr->sample_freq == 0)
		return attr->sample_period;
	return attr->type == PERF_TYPE_SOFTWARE &&
			       attr->config <= PERF_COUNT_SW_TASK_CLOCK
		       ? UINT64_C(1000000000) / attr->sample_freq
		       : 1;
}

static void take_sample(struct body *body, const struct perf_event_attr *attr,
			struct event *event)
{
	struct perf_record *record = &event->record;
	uint64_t type = attr->sample_type;
	uint32_t unused;

	if (type & PERF_SAMPLE_IDENTIFIER)
		take_u64(body);
	if (type & PERF_SAMPLE_IP)
		record->pc = take_u64(body);
	if (type & PERF_SAMPLE_TID)
		take_u32s(body, &record->pid, &record->tid);
	if (type & PERF_SAMPLE_TIME)
		record->time_ns = take_u64(body);
	if (type & PERF_SAMPLE_ADDR)
		take_u64(body);
	if (type & PERF_SAMPLE_ID)
		take_u64(body);
	if (type & PERF_SAMPLE_STREAM_ID)
		take_u64(body);
	if (type & PERF_SAMPLE_CPU)
		take_u32s(body, &record->cpu, &unused);
	event->period = type & PERF_SAMPLE_PERIOD ? take_u64(body) : period_of(attr);
	if (type & PERF_SAMPLE_READ)
		skip_counts(body, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		take_chain(body, record);
	if (type & PERF_SAMPLE_RAW)
		skip_raw(body);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(body, attr);
	if (type & PERF_SAMPLE_REGS_USER)
		take_registers(body, attr, event);
	if (type & PERF_SAMPLE_STACK_USER)
		take_stack(body, event);
}

/* ---- what other records end with ---- */

static unsigned trailer_words(uint64_t type)
{
	return (unsigned)__builtin_popcountll(type &
					      (PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					       PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
					       PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER));
}

static void take_trailer(struct body *body, const struct perf_event_attr *attr,
			 struct perf_record *record)
{
	uint64_t type = attr->sample_type, size = 8 * (uint64_t)trailer_words(type);
	uint32_t unused;
	struct body trailer = { .end = body->end };

	if (!attr->sample_id_all)
		return;
	if (size > (uint64_t)(body->end - body->at)) {
		body->has_failed = true;
		return;
	}
	trailer.at = body->end -= size;
	if (type & PERF_SAMPLE_TID)
		take_u32s(&trailer, &record->pid, &record->tid);
	if (type & PERF_SAMPLE_TIME)
		record->time_ns = take_u64(&trailer);
	if (type & PERF_SAMPLE_ID)
		take_u64(&trailer);
	if (type & PERF_SAMPLE_STREAM_ID)
		take_u64(&trailer);
	if (type & PERF_SAMPLE_CPU)
		take_u32s(&trailer, &record->cpu, &unused);
}

/* ---- other records ---- */

/* The rest of a record is text that ends in it. */
static void take_name(struct body *body, struct perf_record *record)
{
	size_t size = (size_t)(body->end - body->at);

	record->name = body->at;
	if (body->has_failed || !memchr(body->at, '\0', size) ||
	    strlen(body->at) >= PATH_MAX)
		body->has_failed = true;
}

static void take_range(struct body *body, struct perf_record *record)
{
	take_u32s(body, &record->pid, &record->tid);
	record->address = take_u64(body);
	record->size = take_u64(body);
	record->file_offset = take_u64(body);
	if (record->address > UINT64_MAX - record->size)
		body->has_failed = true;
}

static void take_file(struct body *body, struct event *event, unsigned misc)
{
	const char *bytes = take(body, 4 + ID_SIZE);
	struct perf_record *record = &event->record;
	uint32_t major, minor;

	if (!bytes)
		return;
	if (misc & HAS_BUILD_ID) {
		size_t size = (unsigned char)bytes[0];

		features_format_id(event->build_id, (const unsigned char *)bytes + 4,
				   size < ID_SIZE ? size : ID_SIZE);
		return;
	}
	memcpy(&major, bytes, sizeof(major));
	memcpy(&minor, bytes + 4, sizeof(minor));
	memcpy(&record->inode, bytes + 8, sizeof(record->inode));
	record->device = makedev(major, minor);
}

static void take_mapping(struct body *body, struct event *event,
			 const struct perf_event_header *header)
{
	uint32_t protection, flags;

	take_range(body, &event->record);
	event->has_code = (header->misc & PERF_RECORD_MISC_MMAP_DATA) == 0;
	if (header->type == PERF_RECORD_MMAP2) {
		take_file(body, event, header->misc);
		take_u32s(body, &protection, &flags);
		event->has_code = (protection & 4) != 0; /* PROT_EXEC */
	}
	take_name(body, &event->record);
}

static void take_other(struct body *body, struct event *event,
		       const struct perf_event_header *header)
{
	struct perf_record *record = &event->record;
	uint32_t unused;

	switch (header->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		take_mapping(body, event, header);
		break;
	case PERF_RECORD_COMM:
		take_u32s(body, &record->pid, &record->tid);
		record->is_exec = (header->misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
		take_name(body, record);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		take_u32s(body, &record->pid, &record->parent);
		take_u32s(body, &record->tid, &unused);
		break;
	case PERF_RECORD_LOST:
		take_u64(body);
		record->value = take_u64(body);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		record->value = take_u64(body);
		break;
	}
}

/* ---- records ---- */

/* The identifier is at either end, and otherwise the number is where the first event has
 * it: perf makes all events of a recording agree in that. */
static unsigned kind_of(const struct recording *recording,
			const struct perf_event_header *header)
{
	const struct perf_event_attr *attr = &recording->kinds[0].attr;
	uint64_t type = attr->sample_type, id = 0;
	size_t size = header->size, at = sizeof(*header);

	if (recording->kind_count == 1)
		return 0;
	if (!(type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)))
		return 0;
	if (header->type != PERF_RECORD_SAMPLE) {
		if (!attr->sample_id_all)
			return 0;
		at = size - 8;
		if (!(type & PERF_SAMPLE_IDENTIFIER))
			at -= 8 * (((type & PERF_SAMPLE_STREAM_ID) != 0) +
				   ((type & PERF_SAMPLE_CPU) != 0));
	} else if (!(type & PERF_SAMPLE_IDENTIFIER)) {
		at += 8 * (unsigned)__builtin_popcountll(
				  type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					  PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR));
	}
	if (size < sizeof(*header) + 8 || at > size - 8 || at < sizeof(*header))
		return (unsigned)recording->kind_count;
	memcpy(&id, (const char *)header + at, sizeof(id));
	/* perf's own records, such as those of processes that ran already */
	if (id == 0 && header->type != PERF_RECORD_SAMPLE)
		return 0;
	return recording_kind(recording, id);
}

int event_parse(struct event *event, const struct recording *recording,
		const struct perf_event_header *header, struct place place)
{
	struct body body = { (const char *)(header + 1),
			     (const char *)header + header->size, false };
	bool is_sample = header->type == PERF_RECORD_SAMPLE;

	*event = (struct event){ .record.type = header->type,
				 .mode = header->misc & PERF_RECORD_MISC_CPUMODE_MASK,
				 .kind = kind_of(recording, header) };
	event->record.is_in_kernel = event->mode == PERF_RECORD_MISC_KERNEL;
	if (event->kind == recording->kind_count) {
		if (is_sample)
			return CLI_OK;
		event->kind = 0;
	}
	if (is_sample) {
		take_sample(&body, &recording->kinds[event->kind].attr, event);
	} else {
		take_trailer(&body, &recording->kinds[event->kind].attr, &event->record);
		take_other(&body, event, header);
	}
	if (body.has_failed)
		return recording_damaged(recording, place.is_spooled, place.offset,
					 "a record of type %u with %u bytes",
					 header->type, header->size);
	if (event->period > PERIOD_MAX)
		return recording_damaged(recording, place.is_spooled, place.offset,
					 "a sample with a period of %llu",
					 (unsigned long long)event->period);
	return CLI_OK;
}

bool event_kinds_have_times(const struct recording *recording)
{
	return (recording->kinds[0].attr.sample_type & PERF_SAMPLE_TIME) != 0;
}
