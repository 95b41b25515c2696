/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks by number. Runs in the handler: no libc but memcpy and memset. */

#include <collector/collector.h>
#include <collector/memory.h>
#include <collector/stack_id.h>
#include <collector/system.h>
#include <libexpt/format.h>

#define SEEN_FIRST 512
#define SEEN_MAX   (1 << 20)

void seen_table_clear(struct seen_table *table)
{
	if (table->used > 0)
		clear_bytes(table->slots, table->size * sizeof(*table->slots));
	table->used = 0;
}

/* The slot that holds the number, or where it belongs. */
static uint64_t *find_slot(const struct seen_table *table, uint64_t uid)
{
	size_t at = (size_t)(uid >> 20) & (table->size - 1);

	while (table->slots[at] != 0 && table->slots[at] != uid)
		at = (at + 1) & (table->size - 1);
	return &table->slots[at];
}

/* A full table that cannot grow is emptied: frames written twice do no harm. */
static bool make_room(struct seen_table *table)
{
	struct seen_table old = *table;
	size_t size = old.size > 0 ? old.size * 2 : SEEN_FIRST;

	if (table->used * 4 < table->size * 3)
		return true;
	if (size > SEEN_MAX || (collector_is_frozen() && old.size > 0)) {
		seen_table_clear(table);
		return true;
	}
	table->slots = memory_get_pages(size * sizeof(*table->slots));
	if (table->slots == NULL) {
		*table = old;
		seen_table_clear(table);
		return old.size > 0;
	}
	table->size = size;
	for (size_t i = 0; i < old.size; i++)
		if (old.slots[i] != 0)
			*find_slot(table, old.slots[i]) = old.slots[i];
	if (old.size > 0)
		memory_return_pages(old.slots, old.size * sizeof(*old.slots));
	return true;
}

static bool write_frame(struct stack_writer *writer, const uint64_t *pcs, size_t count,
			uint64_t info_uid, uint64_t uid)
{
	size_t info_size = sizeof(struct frame_info) + count * sizeof(*pcs);
	size_t size = sizeof(struct frame_packet) + info_size;
	char *room = cursor_reserve(&writer->frames, &process.frames, size);
	struct frame_packet packet = { .infos = sizeof(packet), .uid = uid };
	struct frame_info info = { .size = (uint32_t)info_size,
				   .kind = FRAME_NATIVE,
				   .uid = info_uid };

	if (room == NULL)
		return false;
	copy_bytes(room + sizeof(packet.packet), (char *)&packet + sizeof(packet.packet),
		   sizeof(packet) - sizeof(packet.packet));
	copy_bytes(room + sizeof(packet), &info, sizeof(info));
	copy_bytes(room + sizeof(packet) + sizeof(info), pcs, count * sizeof(*pcs));
	cursor_publish(&writer->frames, PACKET_FRAME, size);
	return true;
}

uint64_t stack_id(struct stack_writer *writer, const uint64_t *pcs, size_t count)
{
	uint64_t info_uid = STACK_INFO_UID_START, uid = STACK_FRAME_UID_START, *slot;

	if (count == 0 || !make_room(&writer->seen))
		return 0;
	for (size_t i = count; i-- > 0;) {
		info_uid = (info_uid + pcs[i]) * STACK_UID_FACTOR;
		uid = (uid + pcs[i]) * STACK_UID_FACTOR;
	}
	if (uid == 0) /* stands for no stack */
		uid = 1;
	slot = find_slot(&writer->seen, uid);
	if (*slot == uid)
		return uid;
	if (!write_frame(writer, pcs, count, info_uid, uid))
		return 0;
	*slot = uid;
	writer->seen.used++;
	return uid;
}
