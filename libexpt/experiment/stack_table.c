/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/experiment/stack_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/packets.h"
#include "libexpt/experiment/private.h"
#include "libexpt/format.h"

/* Marks a position in the stack on SPARC; not an address elsewhere. */
#define LEAF_CHECK_MARKER ((uint64_t)-1)

void stack_table_close(struct stack_table *table)
{
	if (!table)
		return;
	idmap_release(&table->frame_uids);
	idmap_release(&table->list_uids);
	array_release(&table->frames);
	array_release(&table->extras);
	array_release(&table->lists);
	array_release(&table->values);
	array_release(&table->joined);
	arena_release(&table->arena);
	free(table);
}

static bool add_value(struct stack_table *table, uint64_t value)
{
	uint64_t *new = array_add(&table->values);

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

/* Add the values of a native stack, which are addresses. */
static bool add_addresses(struct stack_table *table, const unsigned char *bytes,
			  size_t size)
{
	for (size_t i = 0; i + table->word <= size; i += table->word) {
		uint64_t value = read_word(table, bytes + i);

		if (value != LEAF_CHECK_MARKER && !add_value(table, value))
			return false;
	}
	return true;
}

/* Add those of a Java stack, which are pairs of wide numbers. */
static bool add_pairs(struct stack_table *table, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i + 16 <= size; i += 16)
		if (!add_value(table, read_u64(bytes + i)) ||
		    !add_value(table, read_u64(bytes + i + 8)))
			return false;
	return true;
}

/* Add a list of values, with its link if any, and store its number in *index. */
static bool add_list(struct stack_table *table, const unsigned char *bytes, size_t size,
		     uint32_t kind, uint32_t *index)
{
	struct value_list list = { .first = table->values.count };
	bool is_java = (kind & ~FRAME_COMPRESSED) == FRAME_JAVA;
	struct value_list *new;

	if ((kind & FRAME_COMPRESSED) && size >= 8) {
		size -= 8;
		list.link = read_u64(bytes + size);
		list.has_link = true;
	}
	if (is_java ? !add_pairs(table, bytes, size) : !add_addresses(table, bytes, size))
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

static bool add_stack(struct stack_table *table, const struct frame_info *info,
		      const unsigned char *bytes, uint32_t *index)
{
	size_t size = info->size - sizeof(*info);

	if (size == 0)
		return add_reference(table, info->uid, index);
	return add_list(table, bytes + sizeof(*info), size, info->kind, index) &&
	       name_list(table, info->uid, *index);
}

/* Returns the frame's other stacks, new if it had none; NULL: out of memory. */
static struct frame_extra *extra_of(struct stack_table *table, struct frame *frame)
{
	struct frame_extra *extra;

	if (frame->extra != IDMAP_NONE)
		return &table->extras.items[frame->extra];
	extra = array_add(&table->extras);
	if (!extra)
		return NULL;
	extra->java_list = IDMAP_NONE;
	frame->extra = (uint32_t)(table->extras.count - 1);
	return extra;
}

/* Take the state of OpenMP, where other infos have their uid, and maybe the uid of the
 * user's stack. */
static bool add_omp(struct stack_table *table, struct frame *frame,
		    const struct frame_info *info, const unsigned char *bytes)
{
	struct frame_extra *extra = extra_of(table, frame);

	if (!extra)
		return false;
	extra->has_omp_state = true;
	extra->omp.state = read_u32(bytes + offsetof(struct frame_info, uid));
	if (info->kind == FRAME_OMP_USER && info->size >= sizeof(*info) + 8) {
		extra->has_omp_user = true;
		extra->omp_uid = read_u64(bytes + sizeof(*info));
	}
	return true;
}

/* The first stack of a kind counts. */
static bool add_info(struct stack_table *table, struct frame *frame,
		     const struct frame_info *info, const unsigned char *bytes)
{
	struct frame_extra *extra;

	switch (info->kind & ~FRAME_COMPRESSED) {
	case FRAME_NATIVE:
		return frame->list != IDMAP_NONE ||
		       add_stack(table, info, bytes, &frame->list);
	case FRAME_JAVA:
		extra = extra_of(table, frame);
		return extra && (extra->java_list != IDMAP_NONE ||
				 add_stack(table, info, bytes, &extra->java_list));
	case FRAME_OMP_STATE:
	case FRAME_OMP_USER:
		return add_omp(table, frame, info, bytes);
	default:
		return true;
	}
}

static bool add_infos(struct expt *expt, struct stack_table *table, struct frame *frame,
		      const struct packet *packet)
{
	uint32_t offset = read_u32(packet->bytes + offsetof(struct frame_packet, infos));
	struct frame_info info;

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
		if (!add_info(table, frame, &info, packet->bytes + offset))
			return false;
	}
	return true;
}

static bool add_frame(struct expt *expt, struct stack_table *table,
		      const struct packet *packet)
{
	struct frame frame = { .list = IDMAP_NONE, .extra = IDMAP_NONE }, *new;
	uint32_t *slot;

	slot = idmap_add(&table->frame_uids,
			 read_u64(packet->bytes + offsetof(struct frame_packet, uid)));
	if (!slot)
		return false;
	if (*slot != IDMAP_NONE)
		return true;
	*slot = (uint32_t)table->frames.count;
	if (!add_infos(expt, table, &frame, packet))
		return false;
	new = array_add(&table->frames);
	if (new)
		*new = frame;
	return new;
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

int stack_table_open(struct expt *expt, struct expt_error *err)
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
