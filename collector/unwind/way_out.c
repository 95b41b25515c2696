/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/unwind/way_out.h"

#include "collector/unwind/decode.h"

#define STEPS_LIMIT 1500
#define NEAR_LIMIT  12
#define NEAR_BYTES  64

enum effect { EFFECT_NONE, EFFECT_FRAME, EFFECT_RETURN, EFFECT_UNKNOWN };

static enum effect move_sp(struct way_out *way, int32_t by)
{
	way->offset += by;
	return way->offset > -65536 && way->offset < 65536 ? EFFECT_FRAME
							   : EFFECT_UNKNOWN;
}

static enum effect change_base(struct way_out *way, enum way_out_base base,
			       int32_t offset)
{
	if (way->has_bp || way->base == WAY_OUT_SAVED_SP)
		return EFFECT_UNKNOWN;
	way->slot = way->offset + offset;
	way->offset = base == WAY_OUT_BP ? offset : 0;
	way->base = base;
	return EFFECT_FRAME;
}

static enum effect pop(struct way_out *way, unsigned number)
{
	if (number == NUMBER_OF_SP)
		return EFFECT_UNKNOWN;
	if (number == NUMBER_OF_BP) {
		way->has_bp = true;
		way->bp_offset = way->offset;
	}
	return move_sp(way, 8);
}

static enum effect leave(struct way_out *way)
{
	enum effect effect = change_base(way, WAY_OUT_BP, 0);

	return effect == EFFECT_FRAME ? pop(way, NUMBER_OF_BP) : effect;
}

static bool is_operand(const struct instruction *at, unsigned number)
{
	return modrm_mode(at) == 3 && modrm_operand(at) == number;
}

/* Is this mov n(%sp), %bp? Go's compiler restores bp that way. */
static bool is_load_of_bp(const struct way_out *way, const struct instruction *at)
{
	return at->opcode == 0x8b && way->base == WAY_OUT_SP &&
	       modrm_register(at) == NUMBER_OF_BP && has_memory_at(at, NUMBER_OF_SP);
}

/* Is sp the destination of an add, or, and, sub, xor, mov or the like? */
static bool has_sp_for_result(const struct instruction *at)
{
	unsigned kind = at->opcode & 0x3f;

	if (at->opcode == 0x87) /* xchg */
		return is_operand(at, NUMBER_OF_SP) || modrm_register(at) == NUMBER_OF_SP;
	if (at->opcode == 0x8b || at->opcode == 0x63 || at->opcode == 0x8d)
		return modrm_register(at) == NUMBER_OF_SP;
	if (at->opcode == 0x89 || at->opcode == 0xc7 || at->opcode == 0xd1 ||
	    at->opcode == 0xc1)
		return is_operand(at, NUMBER_OF_SP);
	if (at->opcode > 0x3b || kind >= 0x38 || (kind & 7) > 3)
		return false;
	return (kind & 2) != 0 ? modrm_register(at) == NUMBER_OF_SP
			       : is_operand(at, NUMBER_OF_SP);
}

/* Handle an instruction that sets sp other than by adding an immediate. */
static enum effect set_sp(struct way_out *way, const struct instruction *at)
{
	bool is_load = at->opcode == 0x8b, is_store = at->opcode == 0x89;

	if (at->opcode == 0x8d && has_memory_at(at, NUMBER_OF_SP))
		return move_sp(way, at->displacement);
	if (at->opcode == 0x8d && has_memory_at(at, NUMBER_OF_BP))
		return change_base(way, WAY_OUT_BP, at->displacement);
	if ((is_load && is_operand(at, NUMBER_OF_BP)) ||
	    (is_store && modrm_register(at) == NUMBER_OF_BP))
		return change_base(way, WAY_OUT_BP, 0);
	if (is_load && way->base == WAY_OUT_SP && has_memory_at(at, NUMBER_OF_SP))
		return change_base(way, WAY_OUT_SAVED_SP, at->displacement);
	return EFFECT_UNKNOWN;
}

/* Handle add, sub and the like of an immediate to sp. */
static enum effect add_to_sp(struct way_out *way, const struct instruction *at)
{
	switch (modrm_field(at)) {
	case 0:
		return move_sp(way, at->immediate);
	case 5:
		return move_sp(way, -at->immediate);
	case 7: /* cmp */
		return EFFECT_NONE;
	default:
		return EFFECT_UNKNOWN;
	}
}

/* Handle opcode FF, and 8F, which has one form only. */
static enum effect of_group(struct way_out *way, const struct instruction *at)
{
	if (at->opcode == 0x8f)
		return move_sp(way, 8);
	switch (modrm_field(at)) {
	case 2:
		return EFFECT_FRAME;
	case 4: /* through a linkage stub to another function, which returns for this one
		 */
		return at->modrm == 0x25 ? EFFECT_RETURN : EFFECT_UNKNOWN;
	case 3:
	case 5:
		return EFFECT_UNKNOWN;
	case 6:
		return move_sp(way, -8);
	default:
		return EFFECT_NONE;
	}
}

static enum effect of_one_byte(struct way_out *way, const struct instruction *at)
{
	unsigned number = (at->opcode & 7) | (at->rex & REX_B ? 8 : 0);

	if (at->opcode >> 3 == 0x50 >> 3)
		return move_sp(way, -8);
	if (at->opcode >> 3 == 0x58 >> 3)
		return pop(way, number);
	if ((at->opcode == 0x81 || at->opcode == 0x83) && is_operand(at, NUMBER_OF_SP))
		return add_to_sp(way, at);
	switch (at->opcode) {
	case 0xc2: /* ret */
	case 0xc3:
		return EFFECT_RETURN;
	case 0xc9:
		return leave(way);
	case 0xe8: /* call */
		return EFFECT_FRAME;
	case 0x68: /* push */
	case 0x6a:
	case 0x9c:
		return move_sp(way, -8);
	case 0x9d: /* popf */
		return move_sp(way, 8);
	case 0x8f:
	case 0xff:
		return of_group(way, at);
	case 0xbc: /* mov $..., %sp */
		return at->rex & REX_B ? EFFECT_NONE : EFFECT_UNKNOWN;
	case 0xc8: /* enter, far returns and traps */
	case 0xca:
	case 0xcb:
	case 0xcc:
	case 0xcd:
	case 0xcf:
	case 0xf4:
		return EFFECT_UNKNOWN;
	}
	if (is_load_of_bp(way, at)) {
		way->has_bp = true;
		way->bp_offset = way->offset + at->displacement;
		return EFFECT_FRAME;
	}
	return at->has_modrm && has_sp_for_result(at) ? set_sp(way, at) : EFFECT_NONE;
}

static enum effect effect_of(struct way_out *way, const struct instruction *at)
{
	if (at->map == MAP_ONE_BYTE)
		return of_one_byte(way, at);
	if (at->map == MAP_0F && at->opcode == 0x0b) /* ud2 */
		return EFFECT_UNKNOWN;
	return EFFECT_NONE;
}

/* A place in the code, and the way found up to it. */
struct on_the_way {
	struct way_out way;
	uintptr_t pc;
};

/*
 * Take one step, straight on at a conditional jump: the frame is the same on both paths.
 * Only if that leads back, around a loop that is left in its middle, go on at the exit of
 * the loop instead.
 */
static bool step(struct on_the_way *here, struct on_the_way *exit, enum effect *effect,
		 uintptr_t low, uintptr_t high)
{
	struct instruction at;
	uintptr_t target;

	if (here->pc < low || !decode_instruction(&at, here->pc, high))
		return false;
	here->pc += at.length;
	target = here->pc + (uintptr_t)(intptr_t)at.immediate;
	*effect = EFFECT_NONE;
	if (is_conditional_jump(&at)) {
		if (target > here->pc)
			*exit = (struct on_the_way){ here->way, target };
	} else if (!is_jump(&at)) {
		*effect = effect_of(&here->way, &at);
	} else if (target > here->pc || exit->pc == 0) {
		here->pc = target;
	} else {
		*here = *exit;
		exit->pc = 0;
	}
	return *effect != EFFECT_UNKNOWN;
}

static bool find(struct way_out *way, uintptr_t pc, uintptr_t low, uintptr_t high,
		 unsigned limit, bool is_near)
{
	struct on_the_way here = { { .base = WAY_OUT_SP }, pc }, exit = { .pc = 0 };
	enum effect effect;

	for (unsigned i = 0; i < limit; i++) {
		if (!step(&here, &exit, &effect, low, high))
			return false;
		if (effect == EFFECT_RETURN) {
			*way = here.way;
			return here.way.offset >= 0;
		}
		if (is_near && effect == EFFECT_NONE)
			return false;
	}
	return false;
}

bool way_out_find(struct way_out *way, uintptr_t pc, uintptr_t low, uintptr_t high)
{
	return find(way, pc, low, high, STEPS_LIMIT, false);
}

bool way_out_is_near(struct way_out *way, uintptr_t pc)
{
	return find(way, pc, pc, pc + NEAR_BYTES, NEAR_LIMIT, true);
}

/* ---- packed into a row ---- */

/*
 *	bits 0-1	enum way_out_base
 *	bits 2-6	words from the caller's saved bp up to the return address; 0:
 *			bp is unchanged
 *	bits 7-19	words from the base to the return address; for a saved sp only
 *			the first four bits, the rest being the words to its slot
 */
static bool is_word_offset(int64_t offset, int64_t limit)
{
	return offset >= 0 && offset % 8 == 0 && offset / 8 < limit;
}

uint32_t way_out_pack(const struct way_out *way)
{
	bool is_saved = way->base == WAY_OUT_SAVED_SP;
	int64_t bp = way->has_bp ? (int64_t)way->offset - way->bp_offset : 0;
	uint32_t words;

	if (!is_word_offset(way->offset, is_saved ? 1 << 4 : 1 << 13) ||
	    !is_word_offset(bp, 1 << 5) ||
	    (is_saved && !is_word_offset(way->slot, 1 << 9)))
		return 0;
	words = (uint32_t)way->offset / 8;
	if (is_saved)
		words |= (uint32_t)way->slot / 8 << 4;
	return way->base | (uint32_t)bp / 8 << 2 | words << 7;
}

struct way_out way_out_unpack(uint32_t packed)
{
	struct way_out way = { .base = packed & 3 };
	uint32_t words = packed >> 7, bp = packed >> 2 & 31;

	if (way.base == WAY_OUT_SAVED_SP) {
		way.slot = (int32_t)(words >> 4) * 8;
		words &= 15;
	}
	way.offset = (int32_t)words * 8;
	way.has_bp = bp != 0;
	way.bp_offset = way.offset - (int32_t)bp * 8;
	return way;
}
