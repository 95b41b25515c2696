/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/stacks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "collector/common/stack_uids.h"

void stacks_init(struct stacks *stacks)
{
	*stacks = (struct stacks){ 0 };
	file_init(&stacks->file);
}

size_t stacks_close(struct stacks *stacks)
{
	size_t length = file_close(&stacks->file);

	free(stacks->slots);
	stacks_init(stacks);
	return length;
}

static uint64_t *find_slot(const struct stacks *stacks, uint64_t uid)
{
	size_t at = (size_t)(uid >> 20) & (stacks->size - 1);

	while (stacks->slots[at] != 0 && stacks->slots[at] != uid)
		at = (at + 1) & (stacks->size - 1);
	return &stacks->slots[at];
}

static bool make_room(struct stacks *stacks)
{
	struct stacks old = *stacks;

	if (old.used * 4 < old.size * 3)
		return true;
	stacks->size = old.size > 0 ? 2 * old.size : 256;
	stacks->slots = calloc(stacks->size, sizeof(*stacks->slots));
	if (!stacks->slots) {
		*stacks = old;
		return false;
	}
	for (size_t i = 0; i < old.size; i++)
		if (old.slots[i] != 0)
			*find_slot(stacks, old.slots[i]) = old.slots[i];
	free(old.slots);
	return true;
}

static void write_frame(struct stacks *stacks, const uint64_t *pcs, size_t count,
			const struct stack_uids *uids)
{
	struct {
		struct frame_packet packet;
		struct frame_info info;
		uint64_t pcs[STACK_PCS_MAX];
	} frame;
	size_t info_size = sizeof(frame.info) + count * sizeof(*pcs);
	size_t size = sizeof(frame.packet) + info_size;

	frame.packet = (struct frame_packet){ .packet = { (uint16_t)size, PACKET_FRAME },
					      .infos = sizeof(frame.packet),
					      .uid = uids->frame };
	frame.info = (struct frame_info){ .size = (uint32_t)info_size,
					  .kind = FRAME_NATIVE,
					  .uid = uids->info };
	memcpy(frame.pcs, pcs, count * sizeof(*pcs));
	file_put_packet(&stacks->file, &frame, size);
}

uint64_t stacks_number(struct stacks *stacks, const uint64_t *pcs, size_t count)
{
	struct stack_uids uids = STACK_UIDS_OF_NONE;
	uint64_t *slot;

	if (count == 0 || !make_room(stacks))
		return 0;
	for (size_t i = count; i-- > 0;)
		stack_uids_add(&uids, &uids, pcs[i]);
	if (uids.frame == 0) /* 0 means no stack */
		uids.frame = 1;
	slot = find_slot(stacks, uids.frame);
	if (*slot == 0) {
		*slot = uids.frame;
		stacks->used++;
		write_frame(stacks, pcs, count, &uids);
	}
	return uids.frame;
}
