/* SPDX-License-Identifier: Apache-2.0 */
/* Call stacks by number. Runs in the handler, without libc. */

#include "collector/threads/stack_id.h"

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/files/blocks.h"
#include "collector/files/files.h"
#include "collector/process/guard.h"
#include "libexpt/format.h"

#define SEEN_FIRST 512
#define SEEN_MAX   (1 << 20)

static void clear_seen(struct seen_table *table)
{
	if (table->used > 0)
		clear_bytes(table->slots, table->size * sizeof(*table->slots));
	table->used = 0;
	clear_bytes(table->recent, sizeof(table->recent));
}

/* Returns the slot that holds the number, or the free one where it belongs. */
static uint64_t *find_slot(const struct seen_table *table, uint64_t uid)
{
	size_t at = (size_t)(uid >> 20) & (table->size - 1);

	while (table->slots[at] != 0 && table->slots[at] != uid)
		at = (at + 1) & (table->size - 1);
	return &table->slots[at];
}

/* If a full table cannot grow it is emptied. Frames written twice do no harm. */
static bool make_room(struct seen_table *table)
{
	struct seen_table old = *table;
	size_t size = old.size > 0 ? old.size * 2 : SEEN_FIRST;

	if (table->used * 4 < table->size * 3)
		return true;
	if (size > SEEN_MAX || collector_is_frozen()) {
		clear_seen(table);
		return old.size > 0;
	}
	table->slots = memory_get_pages(size * sizeof(*table->slots));
	if (!table->slots) {
		*table = old;
		clear_seen(table);
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

/* The parts of a stack; there is nothing of Java or OpenMP in most. */
struct parts {
	struct part {
		const void *values;
		size_t size;
		uint64_t uid;
	} java, native;
	bool has_openmp;
	uint32_t openmp_state;
	uint64_t openmp_list; /* 0: none */
};

static size_t part_size(const struct part *part)
{
	return part->size > 0 ? sizeof(struct frame_info) + part->size : 0;
}

static char *put_part(char *room, enum frame_kind kind, const struct part *part)
{
	size_t size = part_size(part);
	struct frame_info info = { .size = (uint32_t)size,
				   .kind = kind,
				   .uid = part->uid };

	if (size == 0)
		return room;
	copy_bytes(room, &info, sizeof(info));
	copy_bytes(room + sizeof(info), part->values, part->size);
	return room + size;
}

static size_t openmp_size(const struct parts *parts)
{
	if (!parts->has_openmp)
		return 0;
	return sizeof(struct frame_info) + (parts->openmp_list ? sizeof(uint64_t) : 0);
}

/* The state is where the others have their number. */
static void put_openmp(char *room, const struct parts *parts)
{
	struct frame_info info = {
		.size = (uint32_t)openmp_size(parts),
		.kind = parts->openmp_list ? FRAME_OMP_USER : FRAME_OMP_STATE,
		.uid = parts->openmp_state,
	};

	if (info.size == 0)
		return;
	copy_bytes(room, &info, sizeof(info));
	copy_bytes(room + sizeof(info), &parts->openmp_list, info.size - sizeof(info));
}

static bool write_frame(struct stack_writer *writer, const struct parts *parts,
			uint64_t uid)
{
	size_t size = sizeof(struct frame_packet) + part_size(&parts->java) +
		      part_size(&parts->native) + openmp_size(parts);
	char *room = cursor_reserve(&writer->frames, &files.frames, size);
	struct frame_packet packet = { .infos = sizeof(packet), .uid = uid };

	if (!room)
		return false;
	copy_bytes(room + sizeof(packet.packet), (char *)&packet + sizeof(packet.packet),
		   sizeof(packet) - sizeof(packet.packet));
	put_openmp(put_part(put_part(room + sizeof(packet), FRAME_JAVA, &parts->java),
			    FRAME_NATIVE, &parts->native),
		   parts);
	cursor_publish(room, PACKET_FRAME, size);
	return true;
}

static const struct stack_uids no_frames = STACK_UIDS_OF_NONE;

static uint64_t *recent_slot(struct stack_writer *writer, uint64_t uid)
{
	return &writer->seen.recent[uid >> (64 - SEEN_RECENT_BITS)];
}

/* Returns the stack's number, and writes the stack if it has not been written yet. */
static uint64_t find_or_write(struct stack_writer *writer, const struct parts *parts,
			      uint64_t uid)
{
	uint64_t *slot;

	if (uid == *recent_slot(writer, uid))
		return uid;
	if (parts->native.size == 0 || !make_room(&writer->seen))
		return 0;
	slot = find_slot(&writer->seen, uid);
	if (*slot != uid) {
		if (!write_frame(writer, parts, uid))
			return 0;
		*slot = uid;
		writer->seen.used++;
	}
	*recent_slot(writer, uid) = uid;
	return uid;
}

/* 0 means "no stack". */
static uint64_t uid_of(const struct stack_uids *uids)
{
	return uids->frame != 0 ? uids->frame : 1;
}

static uint64_t find_native(struct stack_writer *writer, const uint64_t *pcs,
			    size_t count, const struct stack_uids *uids)
{
	const struct parts parts = {
		.native = { pcs, count * sizeof(*pcs), uids->info },
	};

	return find_or_write(writer, &parts, uid_of(uids));
}

uint64_t stack_id(struct stack_writer *writer, const uint64_t *pcs, size_t count)
{
	struct stack_uids uids = no_frames;

	for (size_t i = count; i-- > 0;)
		stack_uids_add(&uids, &uids, pcs[i]);
	return find_native(writer, pcs, count, &uids);
}

uint64_t stack_id_java(struct stack_writer *writer, const uint64_t *pcs, size_t count,
		       size_t java_count)
{
	struct java_frame *java = writer->java;
	struct stack_uids uids = no_frames;
	struct parts parts = {
		.java = { java, java_count * sizeof(*java), 0 },
		.native = { pcs, count * sizeof(*pcs), 0 },
	};

	for (size_t i = java_count; i-- > 0;) {
		java[i].pad = 0;
		stack_uids_add(&uids, &uids, java[i].method);
		stack_uids_add(&uids, &uids, (uint32_t)java[i].bci);
	}
	parts.java.uid = uids.info;
	uids.info = STACK_INFO_UID_START;
	for (size_t i = count; i-- > 0;)
		stack_uids_add(&uids, &uids, pcs[i]);
	parts.native.uid = uids.info;
	return find_or_write(writer, &parts, uid_of(&uids));
}

uint64_t stack_id_openmp(struct stack_writer *writer, const uint64_t *pcs, size_t count,
			 uint32_t state, uint64_t list)
{
	struct stack_uids uids = no_frames;
	struct parts parts = {
		.native = { pcs, count * sizeof(*pcs), 0 },
		.has_openmp = true,
		.openmp_state = state,
		.openmp_list = list,
	};

	for (size_t i = count; i-- > 0;)
		stack_uids_add(&uids, &uids, pcs[i]);
	parts.native.uid = uids.info;
	stack_uids_add(&uids, &uids, list);
	stack_uids_add(&uids, &uids, state);
	return find_or_write(writer, &parts, uid_of(&uids));
}

static bool write_list(struct stack_writer *writer, const uint64_t *pcs, size_t count,
		       uint64_t link, uint64_t uid)
{
	size_t values = count * sizeof(*pcs), rest = link != 0 ? sizeof(link) : 0;
	size_t size = sizeof(struct uid_packet) + values + rest;
	char *room = cursor_reserve(&writer->frames, &files.frames, size);
	struct uid_packet packet = {
		.flags = link != 0 ? FRAME_COMPRESSED : 0,
		.uid = uid,
	};

	if (!room)
		return false;
	copy_bytes(room + sizeof(packet.packet), (char *)&packet + sizeof(packet.packet),
		   sizeof(packet) - sizeof(packet.packet));
	copy_bytes(room + sizeof(packet), pcs, values);
	copy_bytes(room + sizeof(packet) + values, &link, rest);
	cursor_publish(room, PACKET_UID, size);
	return true;
}

uint64_t stack_list(struct stack_writer *writer, const uint64_t *pcs, size_t count,
		    uint64_t link)
{
	struct stack_uids uids = { 0, link != 0 ? link : STACK_INFO_UID_START };
	uint64_t *slot;

	if (count == 0)
		return link;
	for (size_t i = count; i-- > 0;)
		stack_uids_add(&uids, &uids, pcs[i]);
	if (!make_room(&writer->seen))
		return 0;
	slot = find_slot(&writer->seen, uids.info);
	if (*slot == uids.info)
		return uids.info;
	if (!write_list(writer, pcs, count, link, uids.info))
		return 0;
	*slot = uids.info;
	writer->seen.used++;
	return uids.info;
}

uint64_t stack_id_again(struct stack_writer *writer, size_t first, size_t fresh)
{
	struct unwind_memory *memory = &writer->memory;

	for (size_t i = first + fresh; i-- > first;)
		stack_uids_add(&writer->uids[i], &writer->uids[i + 1], memory->pcs[i]);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memory->first = first;
	return find_native(writer, memory->pcs + first, memory->limit - first,
			   &writer->uids[first]);
}

/* ---- writers ---- */

bool stack_writer_init(struct stack_writer *writer, size_t depth, bool is_remembering)
{
	char *bytes;

	if (writer->depth >= depth)
		return true;
	writer->pcs = memory_get((depth + 1) * sizeof(*writer->pcs));
	if (writer->pcs && !is_remembering)
		writer->depth = depth;
	if (!writer->pcs || !is_remembering)
		return writer->pcs != NULL;
	bytes = memory_get(unwind_memory_size(depth) +
			   (depth + 1) * sizeof(*writer->uids));
	if (!bytes)
		return false;
	unwind_memory_init(&writer->memory, bytes, depth);
	writer->uids = (void *)(bytes + unwind_memory_size(depth));
	writer->uids[depth] = no_frames;
	/* The first stack may come when memory can no longer be allocated (in a sandbox).
	 */
	make_room(&writer->seen);
	writer->depth = depth;
	return true;
}

bool stack_writer_take_java(struct stack_writer *writer, size_t depth)
{
	struct java_frame *java;

	if (writer->java)
		return true;
	java = memory_get((depth + 1) * sizeof(*java));
	__atomic_store_n(&writer->java, java, __ATOMIC_RELEASE);
	return java != NULL;
}

void stack_writer_forget(struct stack_writer *writer)
{
	unwind_memory_forget(&writer->memory);
}

void stack_writer_after_fork(struct stack_writer *writer)
{
	writer->frames.block = NULL;
	clear_seen(&writer->seen);
	stack_writer_forget(writer);
}
