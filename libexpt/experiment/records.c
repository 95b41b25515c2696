/* SPDX-License-Identifier: Apache-2.0 */
/* Event records of one kind of data, read from packets by the declarations in the log. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/packet_order.h"
#include "libexpt/experiment/packets.h"
#include "libexpt/experiment/private.h"
#include "libexpt/format.h"

/* Declarations are cached by packet type; larger types exist in principle and are looked
 * up each time. */
#define CACHED_TYPES 64

/* The fields common to all records, found once per packet type. */
struct record_layout {
	const struct expt_packet_declaration *declaration; /* NULL: not declared */
	const struct expt_field_declaration *time, *thread, *lwp, *cpu, *stack;
	/* Packets of at least this size have all five as 64-bit numbers, the processor as
	 * a 32-bit one, as recorders write them: no declaration need be checked. */
	uint32_t usual_size;
};

/* Old clock packets have one field of ticks per state. Each becomes a record of its own,
 * in the layout of today's packets. */
struct old_clock {
	bool is_declared;
	const struct expt_field_declaration *ticks[EXPT_STATE_STOPPED + 1];
	size_t next; /* next state in the current packet; past the last one: none */
	struct expt_packet_declaration declaration;
	struct expt_field_declaration fields[2];
	struct clock_packet packet;
};

struct expt_records {
	struct expt *expt;
	enum expt_data data;
	uint64_t start_ns;
	bool is_open; /* the file exists */
	struct packet_file file;
	bool is_ordered;
	struct packet_order order;
	struct record_layout layouts[CACHED_TYPES];
	struct record_layout uncached; /* of the latest packet of a larger type */
	struct old_clock old;
	struct expt_record record; /* of the current old packet */
};

static const struct expt_field_declaration *
find_field(const struct expt_packet_declaration *declaration, enum expt_field field)
{
	size_t place = declaration->places[field];

	return place ? &declaration->fields[place - 1] : NULL;
}

bool expt_record_field(const struct expt_record *record,
		       const struct expt_field_declaration *declaration, int64_t *value)
{
	enum expt_field_type type = declaration->type;
	bool is_wide = type == EXPT_INT64 || type == EXPT_UINT64;
	uint64_t end = (uint64_t)declaration->offset + (is_wide ? 8 : 4);
	const unsigned char *bytes;

	if (end > record->size || type > EXPT_UINT64)
		return false;
	bytes = record->packet + declaration->offset;
	*value = is_wide	       ? (int64_t)read_u64(bytes)
		 : type == EXPT_UINT32 ? (int64_t)read_u32(bytes)
				       : (int32_t)read_u32(bytes);
	return true;
}

bool expt_record_value(const struct expt_record *record, enum expt_field field,
		       int64_t *value)
{
	const struct expt_field_declaration *declaration =
		find_field(record->declaration, field);

	return declaration && expt_record_field(record, declaration, value);
}

size_t expt_record_text(const struct expt_record *record,
			const struct expt_field_declaration *declaration,
			const char **text)
{
	if (declaration->type != EXPT_STRING || declaration->offset >= record->size)
		return 0;
	*text = (const char *)record->packet + declaration->offset;
	return strnlen(*text, record->size - declaration->offset);
}

static bool has_type(const struct expt_field_declaration *field, bool is_wide)
{
	if (!field)
		return false;
	return is_wide ? field->type == EXPT_INT64 || field->type == EXPT_UINT64
		       : field->type == EXPT_INT32 || field->type == EXPT_UINT32;
}

/* Returns UINT32_MAX, larger than any packet, if the fields are not the usual ones. */
static uint32_t find_usual_size(const struct record_layout *layout)
{
	const struct expt_field_declaration *const wide[] = { layout->time,
							      layout->thread, layout->lwp,
							      layout->stack };
	uint32_t size;

	if (!has_type(layout->cpu, false) || layout->cpu->offset > UINT16_MAX)
		return UINT32_MAX;
	size = layout->cpu->offset + 4;
	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++) {
		if (!has_type(wide[i], true) || wide[i]->offset > UINT16_MAX)
			return UINT32_MAX;
		if (size < wide[i]->offset + 8)
			size = wide[i]->offset + 8;
	}
	return size;
}

static struct record_layout find_layout(const struct expt_records *records, uint32_t type)
{
	struct record_layout layout = {
		.declaration = log_declaration(records->expt->log, records->data, type),
	};

	if (layout.declaration) {
		layout.time = find_field(layout.declaration, EXPT_TSTAMP);
		layout.thread = find_field(layout.declaration, EXPT_THRID);
		layout.lwp = find_field(layout.declaration, EXPT_LWPID);
		layout.cpu = find_field(layout.declaration, EXPT_CPUID);
		layout.stack = find_field(layout.declaration, EXPT_FRINFO);
		layout.usual_size = find_usual_size(&layout);
	}
	return layout;
}

static void prepare_old_clock(struct expt_records *records)
{
	static const char *const names[] = { "UCPU", "SCPU", "TRAP", "TFLT", "DFLT",
					     "KFLT", "ULCK", "TSLP", "WCPU", "TSTP" };
	const struct expt_packet_declaration *declared =
		records->layouts[PACKET_CLOCK_OLD].declaration;
	struct old_clock *old = &records->old;

	old->next = EXPT_STATE_STOPPED + 1;
	if (records->data != EXPT_CLOCK || !declared)
		return;
	for (size_t i = 0; i < declared->field_count; i++)
		for (size_t state = 0; state <= EXPT_STATE_STOPPED; state++)
			if (strcmp(declared->fields[i].name, names[state]) == 0)
				old->ticks[state] = &declared->fields[i];
	old->is_declared = true;
	old->fields[0] = (struct expt_field_declaration){
		.field = EXPT_MSTATE,
		.type = EXPT_INT32,
		.name = "MSTATE",
		.title = "Thread state",
		.offset = offsetof(struct clock_packet, state),
	};
	old->fields[1] = (struct expt_field_declaration){
		.field = EXPT_NTICK,
		.type = EXPT_INT32,
		.name = "NTICK",
		.title = "Duration",
		.offset = offsetof(struct clock_packet, ticks),
	};
	old->declaration = *declared;
	old->declaration.fields = old->fields;
	old->declaration.field_count = 2;
	log_place_fields(&old->declaration);
}

int expt_records_open(struct expt_records **out, struct expt *expt, enum expt_data data,
		      struct expt_error *err)
{
	cleanup_free struct expt_records *records = calloc(1, sizeof(*records));
	int rc;

	if (!records)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", expt_data_name(data));
	records->expt = expt;
	records->data = data;
	records->start_ns = expt_info(expt)->start_ns;
	for (uint32_t type = 0; type < CACHED_TYPES; type++)
		records->layouts[type] = find_layout(records, type);
	prepare_old_clock(records);
	rc = packet_file_open(&records->file, expt, expt_data_name(data), err);
	if (rc < 0)
		return rc;
	records->is_open = rc > 0;
	*out = steal(&records);
	return 0;
}

void expt_records_close(struct expt_records *records)
{
	if (!records)
		return;
	packet_order_release(&records->order);
	if (records->is_open)
		packet_file_close(&records->file);
	free(records);
}

static uint64_t value_or_zero(const struct expt_record *record,
			      const struct expt_field_declaration *declaration)
{
	int64_t value;

	if (declaration && expt_record_field(record, declaration, &value))
		return (uint64_t)value;
	return 0;
}

static void fill_record(struct expt_record *record, const struct packet *packet,
			const struct record_layout *layout, uint64_t start_ns)
{
	uint64_t time_ns;

	*record = (struct expt_record){
		.declaration = layout->declaration,
		.packet = packet->bytes,
		.size = packet->size,
		.offset = packet->offset,
	};
	if (packet->size >= layout->usual_size) {
		time_ns = read_u64(packet->bytes + layout->time->offset);
		record->thread = read_u64(packet->bytes + layout->thread->offset);
		record->lwp = read_u64(packet->bytes + layout->lwp->offset);
		record->cpu = read_u32(packet->bytes + layout->cpu->offset);
		record->stack = read_u64(packet->bytes + layout->stack->offset);
	} else {
		time_ns = value_or_zero(record, layout->time);
		record->thread = value_or_zero(record, layout->thread);
		record->lwp = value_or_zero(record, layout->lwp);
		record->cpu = (uint32_t)value_or_zero(record, layout->cpu);
		record->stack = value_or_zero(record, layout->stack);
	}
	/* The first events may be slightly earlier than the recorded start. */
	record->time_ns = time_ns > start_ns ? time_ns - start_ns : 0;
}

/* Get the next state with ticks of the current old packet. */
static bool next_old_state(struct expt_records *records, struct expt_record *record)
{
	struct old_clock *old = &records->old;

	while (old->next <= EXPT_STATE_STOPPED) {
		size_t state = old->next++;
		uint64_t ticks = value_or_zero(&records->record, old->ticks[state]);

		if (ticks == 0)
			continue;
		old->packet.state = (int32_t)state;
		old->packet.ticks = (int32_t)ticks;
		*record = records->record;
		record->declaration = &old->declaration;
		record->packet = (const unsigned char *)&old->packet;
		record->size = sizeof(old->packet);
		return true;
	}
	return false;
}

static const struct record_layout *layout_of(struct expt_records *records, uint32_t type)
{
	if (type < CACHED_TYPES)
		return &records->layouts[type];
	records->uncached = find_layout(records, type);
	return &records->uncached;
}

static uint64_t time_of(void *context, const struct packet *packet)
{
	struct expt_records *records = context;
	struct expt_record record;

	fill_record(&record, packet, layout_of(records, packet->type), records->start_ns);
	return record.time_ns;
}

int expt_records_order(struct expt_records *records, struct expt_error *err)
{
	struct packet packet;
	int rc;

	if (!records->is_open)
		return 0;
	while ((rc = packet_file_next(&records->file, &packet, err)) > 0)
		if (layout_of(records, packet.type)->declaration &&
		    !packet_order_add(&records->order, &packet,
				      time_of(records, &packet)))
			return expt_fail(err, -ENOMEM, "cannot order '%s'",
					 expt_data_name(records->data));
	packet_order_start(&records->order);
	records->is_ordered = true;
	return rc;
}

static int next_packet(struct expt_records *records, struct packet *packet,
		       struct expt_error *err)
{
	if (records->is_ordered)
		return packet_order_next(&records->order, &records->file, time_of,
					 records, packet, err);
	return packet_file_next(&records->file, packet, err);
}

int expt_records_next(struct expt_records *records, struct expt_record *record,
		      struct expt_error *err)
{
	struct packet packet;
	int rc;

	if (next_old_state(records, record))
		return 1;
	if (!records->is_open)
		return 0;
	while ((rc = next_packet(records, &packet, err)) > 0) {
		const struct record_layout *layout = layout_of(records, packet.type);

		if (!layout->declaration)
			continue;
		fill_record(record, &packet, layout, records->start_ns);
		if (packet.type != PACKET_CLOCK_OLD || !records->old.is_declared)
			return 1;
		records->record = *record;
		records->old.next = 0;
		if (next_old_state(records, record))
			return 1;
	}
	return rc;
}

static const char *type_name(uint32_t type)
{
	static const char *const names[] = {
		[PACKET_CLOCK_OLD] = "old clock",
		[PACKET_SYNC] = "sync",
		[PACKET_HWC] = "counter",
		[PACKET_HWC_OLD] = "old counter",
		[PACKET_HEAP] = "heap",
		[PACKET_MPI] = "MPI",
		[PACKET_HWC_ADDRESS] = "counter with address",
		[PACKET_CLOCK] = "clock",
		[PACKET_OMP_FORK] = "OpenMP fork",
		[PACKET_RACE] = "race",
		[PACKET_FRAME] = "frame",
		[PACKET_OMP_REGION_ENTER] = "OpenMP region entry",
		[PACKET_DEADLOCK] = "deadlock",
		[PACKET_OMP_TASK_ENTER] = "OpenMP task entry",
		[PACKET_OMP_REGION] = "OpenMP region",
		[PACKET_OMP_TASK] = "OpenMP task",
		[PACKET_UID] = "uid",
		[PACKET_IO] = "I/O",
		[PACKET_HEAP_FREE] = "heap free",
		[PACKET_HEAP_MOVE] = "heap move",
		[PACKET_IO_OPEN] = "I/O open",
	};

	if (type < sizeof(names) / sizeof(*names) && names[type])
		return names[type];
	return "unknown";
}

struct expt_packet_counts {
	struct expt_packet_count *items; /* by type */
	size_t count, capacity;
};

struct expt_packet_counts *expt_packet_counts_new(void)
{
	return calloc(1, sizeof(struct expt_packet_counts));
}

void expt_packet_counts_free(struct expt_packet_counts *counts)
{
	if (counts)
		array_release(counts);
	free(counts);
}

/* Returns the entry of a type, in order; there are few, so a search from the end is
 * fast. */
static struct expt_packet_count *count_of_type(struct expt_packet_counts *counts,
					       uint32_t type)
{
	struct expt_packet_count *entry;
	size_t i = counts->count;

	while (i > 0 && counts->items[i - 1].type > type)
		i--;
	if (i > 0 && counts->items[i - 1].type == type)
		return &counts->items[i - 1];
	if (!array_add(counts))
		return NULL;
	entry = &counts->items[i];
	memmove(entry + 1, entry, (counts->count - 1 - i) * sizeof(*entry));
	*entry = (struct expt_packet_count){ .type = type, .name = type_name(type) };
	return entry;
}

static bool count_packet(struct expt_packet_counts *counts, const struct packet *packet)
{
	struct expt_packet_count *count = count_of_type(counts, packet->type);

	if (!count)
		return false;
	count->packets++;
	count->bytes += packet->size;
	return true;
}

int expt_packet_counts_add(struct expt_packet_counts *counts, struct expt *expt,
			   const char *name, struct expt_error *err)
{
	struct packet_file file;
	struct packet packet;
	int rc = packet_file_open(&file, expt, name, err);

	if (rc <= 0)
		return rc;
	while ((rc = packet_file_next(&file, &packet, err)) > 0)
		if (counts && !count_packet(counts, &packet)) {
			rc = expt_fail(err, -ENOMEM, "cannot count the packets of '%s'",
				       name);
			break;
		}
	packet_file_close(&file);
	return rc;
}

size_t expt_packet_counts_count(const struct expt_packet_counts *counts)
{
	return counts->count;
}

const struct expt_packet_count *
expt_packet_counts_entry(const struct expt_packet_counts *counts, size_t i)
{
	return &counts->items[i];
}
