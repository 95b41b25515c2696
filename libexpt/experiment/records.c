/* SPDX-License-Identifier: Apache-2.0 */
/* Event records of one kind of data, read from packets by the declarations in the log. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/packet_order.h"
#include "libexpt/experiment/private.h"
#include "libexpt/experiment/records.h"
#include "libexpt/format.h"

/* Declarations of packet types are cached, those of larger ones looked up each time. */
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
	return record_field(record, declaration, value);
}

bool expt_record_value(const struct expt_record *record, enum expt_field field,
		       int64_t *value)
{
	return record_value(record, field, value);
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
	struct record_layout layout = { .usual_size = UINT32_MAX };

	if (type != PACKET_EMPTY) /* a filler, whatever is declared */
		layout.declaration =
			log_declaration(records->expt->log, records->data, type);
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

	if (declaration && record_field(record, declaration, &value))
		return (uint64_t)value;
	return 0;
}

static inline void fill_record(struct expt_record *record, const struct packet *packet,
			       const struct record_layout *layout, uint64_t start_ns)
{
	uint64_t time_ns;

	record->declaration = layout->declaration;
	record->packet = packet->bytes;
	record->size = packet->size;
	record->offset = packet->offset;
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

size_t records_take(struct expt_records *records, struct expt_record *batch, size_t max)
{
	const unsigned char *at, *stop, *window = records->file.window;
	uint64_t start = records->file.start;
	size_t count = 0;

	if (!records->is_open || records->is_ordered || records->old.is_declared)
		return 0;
	at = packet_file_ahead(&records->file, &stop);
	if (!at)
		return 0;
	while (count < max && at < stop) {
		const struct record_layout *layout;
		struct packet_head head;
		struct packet packet;

		memcpy(&head, at, sizeof(head));
		if (head.size < sizeof(head) || head.size % 4 != 0 ||
		    head.type >= CACHED_TYPES)
			break;
		layout = &records->layouts[head.type];
		packet.bytes = at;
		packet.size = head.size;
		packet.offset = start + (uint64_t)(at - window);
		if (layout->declaration)
			fill_record(&batch[count++], &packet, layout, records->start_ns);
		at += head.size;
	}
	records->file.position = start + (uint64_t)(at - window);
	return count;
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

/* ---- parts of a large file ---- */

#define CHAIN_LENGTH 16 /* so many packets in a row are no coincidence */
#define SEARCHED     (128 << 10)

/* Returns where the first of many packets in a row ends; 0: there are not so many. */
static size_t end_of_first(const struct expt_records *records, const unsigned char *bytes,
			   size_t length, size_t at)
{
	size_t end = 0;

	for (size_t i = 0; i < CHAIN_LENGTH; i++) {
		struct packet_head head;

		if (at + sizeof(head) > length)
			return 0;
		memcpy(&head, bytes + at, sizeof(head));
		if (head.type >= CACHED_TYPES || head.size % 4 != 0 ||
		    !records->layouts[head.type].declaration ||
		    head.size < records->layouts[head.type].usual_size)
			return 0;
		at += head.size;
		if (i == 0)
			end = at;
	}
	return end;
}

/* Returns where a packet seems to begin after another one near the position; 0: nowhere.
 */
static uint64_t find_packet(const struct expt_records *records, uint64_t near)
{
	cleanup_free unsigned char *bytes = io_buffer(SEARCHED);
	ssize_t length = -1;
	size_t end = 0;

	near -= near % RESYNC_SIZE;
	if (bytes)
		length = io_pread_full(records->file.fd, bytes, SEARCHED, (off_t)near);
	for (ssize_t at = 0; at < length && end == 0; at += 4)
		end = end_of_first(records, bytes, (size_t)length, (size_t)at);
	return end > 0 ? near + end : 0;
}

static struct expt_records *divide(struct expt_records *first, uint64_t position)
{
	cleanup_free struct expt_records *part = malloc(sizeof(*part));

	if (!part)
		return NULL;
	*part = *first;
	return packet_file_divide(&first->file, &part->file, position) == 0 ? steal(&part)
									    : NULL;
}

uint64_t records_size(const struct expt_records *records)
{
	struct stat status;

	return records->is_open && fstat(records->file.fd, &status) == 0
		       ? (uint64_t)status.st_size
		       : 0;
}

size_t records_divide(struct expt_records *records, struct expt_records **parts,
		      size_t max)
{
	uint64_t size = records->is_ordered || records->old.is_declared
				? 0
				: records_size(records);
	struct expt_records *last = records;
	size_t count = 0;

	max = max < size / RECORDS_PART_MIN ? max : size / RECORDS_PART_MIN;
	for (size_t i = 1; i <= max; i++) {
		uint64_t at = find_packet(records, size / (max + 1) * i);

		parts[count] = at > last->file.begin ? divide(last, at) : NULL;
		if (parts[count])
			last = parts[count++];
	}
	return count;
}

bool records_catch_up(struct expt_records *records, const struct expt_records *part)
{
	return packet_file_catch_up(&records->file, &part->file);
}
