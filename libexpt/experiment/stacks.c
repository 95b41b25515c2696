/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stacks: one pass reads data.frameinfo into lists of values, which may be continued
 * by other lists, also later ones. A stack is joined at its first use; one without a
 * continuation, the usual case, needs no copy.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/idmap.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/packets.h"
#include "libexpt/experiment/private.h"
#include "libexpt/format.h"

/* Marks a position in the stack on SPARC; not an address elsewhere. */
#define LEAF_CHECK_MARKER ((uint64_t)-1)

/* Capacity of one packet: no recorder writes longer stacks. A longer linked one would be
 * walked again for each of its records. */
#define DEPTH_MAX ((size_t)16384)

/* Stacks joined from links may be far larger than their file. This limit on values and
 * links in total exceeds any real recording and still fits a small machine. */
#define JOINED_VALUES_MAX (UINT64_C(1) << 25)

struct value_list {
	size_t first, count; /* among the values of the table */
	uint64_t link;	     /* uid of the list that continues this one */
	bool has_link;
	uint32_t visit; /* number of the last walk that came here */
};

struct frame {
	uint32_t list;	/* IDMAP_NONE: no native stack */
	bool is_joined; /* pcs and count are final */
	enum expt_stack_end end;
	size_t count;
	const uint64_t *pcs;
};

struct stack_table {
	struct idmap frame_uids, list_uids;
	struct {
		struct frame *items;
		size_t count, capacity;
	} frames;
	struct {
		struct value_list *items;
		size_t count, capacity;
	} lists;
	struct {
		uint64_t *items;
		size_t count, capacity;
	} values;
	struct {
		uint64_t *items;
		size_t count, capacity;
	} joined; /* the stack being joined */
	struct arena arena;
	uint64_t joined_total;
	uint32_t visit;
	size_t word; /* bytes of an address */
	const char *file;
};

void stack_table_close(struct stack_table *table)
{
	if (!table)
		return;
	idmap_release(&table->frame_uids);
	idmap_release(&table->list_uids);
	array_release(&table->frames);
	array_release(&table->lists);
	array_release(&table->values);
	array_release(&table->joined);
	arena_release(&table->arena);
	free(table);
}

static bool add_value(struct stack_table *table, uint64_t value)
{
	uint64_t *new;

	if (value == LEAF_CHECK_MARKER)
		return true;
	new = array_add(&table->values);
	if (!new)
		return false;
	*new = value;
	return true;
}

static uint64_t read_word(const struct stack_table *table, const unsigned char *bytes)
{
	uint64_t value;

	if (table->word == 8)
		return read_u64(bytes);
	value = read_u32(bytes);
	/* Markers are negative numbers of the recorded width. */
	return value >= (uint32_t)STACK_UNWIND_FAILED
		       ? value | UINT64_C(0xffffffff00000000)
		       : value;
}

/* Add a list of values, with its link if any, and store its number in *index. */
static bool add_list(struct stack_table *table, const unsigned char *bytes, size_t size,
		     bool is_compressed, uint32_t *index)
{
	struct value_list list = { .first = table->values.count };
	struct value_list *new;

	if (is_compressed && size >= 8) {
		size -= 8;
		list.link = read_u64(bytes + size);
		list.has_link = true;
	}
	for (size_t i = 0; i + table->word <= size; i += table->word)
		if (!add_value(table, read_word(table, bytes + i)))
			return false;
	list.count = table->values.count - list.first;
	new = array_add(&table->lists);
	if (!new)
		return false;
	*new = list;
	*index = (uint32_t)(table->lists.count - 1);
	return true;
}

/* Enter the list under its uid; the first list with a uid counts. */
static bool name_list(struct stack_table *table, uint64_t uid, uint32_t index)
{
	uint32_t *slot = idmap_add(&table->list_uids, uid);

	if (slot && *slot == IDMAP_NONE)
		*slot = index;
	return slot;
}

/* Add a link to the list of this uid, for an info without values. */
static bool add_reference(struct stack_table *table, uint64_t uid, uint32_t *index)
{
	struct value_list *new = array_add(&table->lists);

	if (!new)
		return false;
	*new = (struct value_list){ .link = uid, .has_link = true };
	*index = (uint32_t)(table->lists.count - 1);
	return true;
}

static bool add_native_info(struct stack_table *table, const struct frame_info *info,
			    const unsigned char *bytes, uint32_t *index)
{
	bool is_compressed = info->kind & FRAME_COMPRESSED;
	size_t size = info->size - sizeof(*info);

	if (size == 0)
		return add_reference(table, info->uid, index);
	return add_list(table, bytes + sizeof(*info), size, is_compressed, index) &&
	       name_list(table, info->uid, *index);
}

static bool add_frame(struct expt *expt, struct stack_table *table,
		      const struct packet *packet)
{
	uint32_t list = IDMAP_NONE;
	uint32_t offset = read_u32(packet->bytes + offsetof(struct frame_packet, infos));
	struct frame_info info;
	struct frame *frame;
	uint32_t *slot;

	slot = idmap_add(&table->frame_uids,
			 read_u64(packet->bytes + offsetof(struct frame_packet, uid)));
	if (!slot)
		return false;
	if (*slot != IDMAP_NONE)
		return true;
	*slot = (uint32_t)table->frames.count;
	for (; offset <= packet->size && packet->size - offset >= sizeof(info);
	     offset += info.size) {
		memcpy(&info, packet->bytes + offset, sizeof(info));
		if (info.size == 0)
			break;
		if (info.size < sizeof(info) || info.size > packet->size - offset) {
			expt_add_damage(expt,
					"%s: offset %" PRIu64
					": a stack of %u bytes does not fit its packet",
					table->file, packet->offset + offset, info.size);
			break;
		}
		if ((info.kind & ~FRAME_COMPRESSED) == FRAME_NATIVE &&
		    list == IDMAP_NONE &&
		    !add_native_info(table, &info, packet->bytes + offset, &list))
			return false;
	}
	frame = array_add(&table->frames);
	if (!frame)
		return false;
	frame->list = list;
	return true;
}

static bool add_uid_packet(struct stack_table *table, const struct packet *packet)
{
	uint32_t flags = read_u32(packet->bytes + offsetof(struct uid_packet, flags));
	uint32_t index;

	return add_list(table, packet->bytes + sizeof(struct uid_packet),
			packet->size - sizeof(struct uid_packet),
			flags & FRAME_COMPRESSED, &index) &&
	       name_list(table,
			 read_u64(packet->bytes + offsetof(struct uid_packet, uid)),
			 index);
}

static bool add_packet(struct expt *expt, struct stack_table *table,
		       const struct packet *packet)
{
	if (packet->type != PACKET_FRAME && packet->type != PACKET_UID)
		return true;
	if (packet->size < sizeof(struct frame_packet)) {
		expt_add_damage(expt,
				"%s: offset %" PRIu64
				": a packet of %u bytes is not a stack",
				table->file, packet->offset, packet->size);
		return true;
	}
	return packet->type == PACKET_FRAME ? add_frame(expt, table, packet)
					    : add_uid_packet(table, packet);
}

static int read_stacks(struct expt *expt, struct stack_table *table,
		       struct expt_error *err)
{
	struct packet_file file;
	struct packet packet;
	int rc;

	table->file = FRAMEINFO_FILE;
	rc = packet_file_open(&file, expt, FRAMEINFO_FILE, err);
	if (rc == 0) {
		table->file = FRAMEINFO_FILE_SUN;
		rc = packet_file_open(&file, expt, FRAMEINFO_FILE_SUN, err);
	}
	if (rc <= 0)
		return rc;
	while ((rc = packet_file_next(&file, &packet, err)) > 0) {
		/* Lists and frames are numbered with 32 bits. */
		if (table->lists.count < UINT32_MAX / 2 &&
		    add_packet(expt, table, &packet))
			continue;
		rc = expt_fail(err, -ENOMEM, "cannot read '%s'", table->file);
		break;
	}
	packet_file_close(&file);
	return rc;
}

static int stack_table_open(struct expt *expt, struct expt_error *err)
{
	struct stack_table *table = calloc(1, sizeof(*table));
	int rc;

	if (!table)
		return expt_fail(err, -ENOMEM, "cannot read the call stacks");
	table->word = expt_info(expt)->word_bits == 32 ? 4 : 8;
	rc = read_stacks(expt, table, err);
	if (rc < 0) {
		stack_table_close(table);
		return rc;
	}
	expt->stacks = table;
	return 0;
}

static struct value_list *next_list(struct stack_table *table,
				    const struct value_list *list)
{
	uint32_t index;

	if (!list->has_link)
		return NULL;
	index = idmap_find(&table->list_uids, list->link);
	return index == IDMAP_NONE ? NULL : &table->lists.items[index];
}

static bool append(struct stack_table *table, const uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t *new = array_add(&table->joined);

		if (!new)
			return false;
		*new = values[i];
	}
	return true;
}

/* Mark the cut, which readers show as a frame of its own. */
static bool cut_off(struct expt *expt, const char *what)
{
	static const uint64_t marker = STACK_TRUNCATED;

	expt_add_damage(expt, "%s: %s", expt->stacks->file, what);
	return append(expt->stacks, &marker, 1);
}

static bool append_lists(struct expt *expt, struct value_list *list)
{
	struct stack_table *table = expt->stacks;

	for (; list; list = next_list(table, list)) {
		if (list->visit == table->visit) {
			expt_add_damage(expt,
					"%s: stack 0x%016" PRIx64 " continues in itself",
					table->file, list->link);
			return true;
		}
		list->visit = table->visit;
		table->joined_total += 1 + list->count;
		if (table->joined_total > JOINED_VALUES_MAX)
			return cut_off(expt, "the stacks are too long: truncated");
		if (list->count > DEPTH_MAX - table->joined.count)
			return cut_off(expt, "a stack is too deep: truncated");
		if (list->count > 0 &&
		    !append(table, table->values.items + list->first, list->count))
			return false;
	}
	return true;
}

/* Follow the links from list on, and copy all values to the arena. */
static int join_lists(struct expt *expt, struct frame *frame, struct value_list *list,
		      struct expt_error *err)
{
	struct stack_table *table = expt->stacks;
	uint64_t *pcs;

	table->joined.count = 0;
	table->visit++;
	if (!append_lists(expt, list))
		return expt_fail(err, -ENOMEM, "cannot read '%s'", table->file);
	pcs = arena_alloc(&table->arena, (table->joined.count + 1) * sizeof(*pcs));
	if (!pcs)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", table->file);
	if (table->joined.count)
		memcpy(pcs, table->joined.items, table->joined.count * sizeof(*pcs));
	frame->pcs = pcs;
	frame->count = table->joined.count;
	return 0;
}

static int join_frame(struct expt *expt, struct frame *frame, struct expt_error *err)
{
	struct stack_table *table = expt->stacks;
	struct value_list *list;
	int rc = 0;

	if (frame->list != IDMAP_NONE) {
		list = &table->lists.items[frame->list];
		if (list->has_link) {
			rc = join_lists(expt, frame, list, err);
		} else if (list->count) {
			frame->pcs = table->values.items + list->first;
			frame->count = list->count;
		}
	}
	if (rc < 0)
		return rc;
	if (frame->count && frame->pcs[frame->count - 1] == STACK_TRUNCATED)
		frame->end = EXPT_STACK_TRUNCATED;
	else if (frame->count && frame->pcs[frame->count - 1] == STACK_UNWIND_FAILED)
		frame->end = EXPT_STACK_FAILED;
	if (frame->end != EXPT_STACK_WHOLE)
		frame->count--;
	frame->is_joined = true;
	return 0;
}

int expt_stack(struct expt *expt, uint64_t uid, struct expt_stack *stack,
	       struct expt_error *err)
{
	struct frame *frame;
	uint32_t index;
	int rc;

	*stack = (struct expt_stack){ .index = EXPT_STACK_NONE };
	if (!expt->stacks) {
		rc = stack_table_open(expt, err);
		if (rc < 0)
			return rc;
	}
	index = uid ? idmap_find(&expt->stacks->frame_uids, uid) : IDMAP_NONE;
	if (index == IDMAP_NONE)
		return 0;
	frame = &expt->stacks->frames.items[index];
	if (!frame->is_joined) {
		rc = join_frame(expt, frame, err);
		if (rc < 0)
			return rc;
	}
	*stack = (struct expt_stack){
		.pcs = frame->pcs,
		.count = frame->count,
		.end = frame->end,
		.index = index,
	};
	return 1;
}

size_t expt_stack_limit(const struct expt *expt)
{
	return expt->stacks ? expt->stacks->frames.count : 0;
}
