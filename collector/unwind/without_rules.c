/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of code without unwind data: made at run time, written by hand, or not code at
 * all. The caller is found by the instructions from pc on, by the chain of frame
 * pointers, or by a call to the code on the stack.
 */

#include "collector/unwind/objects.h"
#include "collector/unwind/private.h"
#include "collector/unwind/way_out.h"

#define FUNCTION_LIMIT 16384 /* bytes of a function without unwind data */
#define SEARCH_WORDS   12    /* kept on the stack by such a function */
#define SWITCH_SIZE    256   /* bytes of systemstack() */
#define SWITCH_FRAMES  256   /* above it, on the stack of the thread */
#define SWITCH_SEARCH  4096  /* bytes of its caller's frame */

/* Are the two words at this address on the stack? */
static bool is_on_stack(const struct walk *walk, uint64_t address)
{
	return address >= walk->sp && address + 16 <= stack_top(walk);
}

/* Is pc readable, as far as that may be tested? One fault ends the walk of a false
 * chain. */
static bool is_there(const struct walk *walk, uint64_t pc)
{
	uint32_t failed = 0;

	if (walk->may_fault)
		guarded_load8(pc - 1, &failed);
	return !failed;
}

/* Compiled code may have anything in bp. For a pc outside all objects the chain must
 * continue. */
static bool is_chain(const struct walk *walk, uint64_t pc, uint64_t bp)
{
	struct unwind_object object;

	if (objects_find(&object, pc - 1))
		return is_returned_to(pc, object.low, object.high);
	return is_possible_code(pc) &&
	       (!bp || (bp > walk->bp && bp % 8 == 0 && is_on_stack(walk, bp))) &&
	       is_there(walk, pc);
}

static bool step_by_frame_pointer(struct walk *walk)
{
	uint32_t failed = 0;
	uint64_t bp, pc;

	if (walk->bp % 8 || !is_on_stack(walk, walk->bp))
		return false;
	bp = guarded_load64(walk->bp, &failed);
	pc = guarded_load64(walk->bp + 8, &failed);
	if (failed || (pc && !is_chain(walk, pc, bp)))
		return false;
	walk->sp = walk->bp + 16;
	walk->bp = bp;
	walk->pc = pc;
	return true;
}

/* Does a call end at pc, in an object or in code made at run time? */
static bool is_behind_call(uint64_t pc)
{
	struct unwind_object object;

	if (objects_find(&object, pc - 1))
		return is_returned_to(pc, object.low, object.high);
	return is_possible_code(pc) && call_length(pc, 0, 0) != 0;
}

/* Step from a function with a frame pointer, before it sets up its frame or after it
 * released it. */
static bool step_at_edge(struct walk *walk)
{
	int on_return = words_on_return(walk->pc);
	uint32_t failed = 0;
	uint64_t pc;

	if (on_return < 0)
		return false;
	pc = guarded_load64(walk->sp + 8 * (unsigned)on_return, &failed);
	if (failed || !is_behind_call(pc))
		return false;
	if (on_return == 1)
		walk->bp = guarded_load64(walk->sp, &failed);
	walk->sp += 8 * (unsigned)on_return + 8;
	walk->pc = pc;
	return true;
}

/*
 * Returns how far before pc the function begins that is called there; FUNCTION_LIMIT: no
 * direct call, or one to another function. A word that points out of all objects is
 * followed only if pc is outside as well: elsewhere such words are mostly numbers, as in
 * GMP, and a fault takes time.
 */
static uint64_t distance_from_call(uint64_t return_address, uint64_t pc)
{
	struct unwind_object object;
	uint64_t target = 0;

	if (objects_find(&object, return_address - 1))
		target = call_target(return_address, object.low, object.high);
	else if (is_possible_code(return_address) && !objects_find(&object, pc))
		target = call_target(return_address, 0, ROWS_ADDRESSES);
	return target && pc - target < FUNCTION_LIMIT ? pc - target : FUNCTION_LIMIT;
}

/* The same for the return address that a frame at bp would have. */
static uint64_t distance_from_frame(const struct walk *walk)
{
	uint32_t failed = 0;
	uint64_t pc;

	if (walk->bp % 8 || !is_on_stack(walk, walk->bp))
		return FUNCTION_LIMIT;
	pc = guarded_load64(walk->bp + 8, &failed);
	return failed ? FUNCTION_LIMIT : distance_from_call(pc, walk->pc);
}

/* The same for the word at sp. A call through a pointer has an unknown target, so its own
 * position counts: its callee begins after the calling function, or before that one. */
static uint64_t distance_at_top(const struct walk *walk)
{
	uint32_t failed = 0;
	uint64_t word = guarded_load64(walk->sp, &failed);
	struct unwind_object object;

	if (failed || !objects_find(&object, word - 1) ||
	    !call_length(word, object.low, object.high))
		return FUNCTION_LIMIT;
	if (distance_from_call(word, walk->pc) == 0)
		return 0;
	return guarded_load8(word - 5, &failed) != 0xe8 &&
			       walk->pc - word < FUNCTION_LIMIT
		       ? walk->pc - word
		       : FUNCTION_LIMIT;
}

/*
 * Code without a frame saves at most a few registers and keeps nothing else on the stack:
 * its return address is near, and follows a call to this very function. Other calls may
 * have left theirs there as well, or will return to it further up: of all that fit, the
 * right one is that with the last target before pc. The bp is the caller's, or was saved
 * on the way. For code made at run time only the top of the stack is examined: other
 * words may point to unmapped memory, and a fault takes time.
 */
static bool step_by_nearest_call(struct walk *walk)
{
	struct unwind_object object;
	unsigned words = objects_find(&object, walk->pc) ? SEARCH_WORDS : 1;
	uint64_t in_frame = distance_from_frame(walk), least = in_frame;
	uint64_t found_sp = 0, found_pc = 0, found_bp = 0, bp = walk->bp, at_top;

	for (unsigned i = 0; i < words && is_on_stack(walk, walk->sp + 8 * i); i++) {
		uint32_t failed = 0;
		uint64_t word = guarded_load64(walk->sp + 8 * i, &failed);
		uint64_t distance = failed ? FUNCTION_LIMIT
					   : distance_from_call(word, walk->pc);

		if (distance < least) {
			least = distance;
			found_sp = walk->sp + 8 * i + 8;
			found_pc = word;
			found_bp = bp;
		}
		if (!is_on_stack(walk, bp) && is_on_stack(walk, word))
			bp = word;
	}
	at_top = distance_at_top(walk);
	if (at_top < FUNCTION_LIMIT && (at_top == 0 || at_top < least))
		return false; /* step_by_leaf() */
	if (least == in_frame)
		return in_frame < FUNCTION_LIMIT && step_by_frame_pointer(walk);
	walk->sp = found_sp;
	walk->pc = found_pc;
	walk->bp = found_bp;
	return true;
}

/* Step from a function that was just entered or uses no stack, or from a call to
 * nowhere. */
static bool step_by_leaf(struct walk *walk)
{
	struct unwind_object object;
	uint32_t failed = 0;
	uint64_t pc = guarded_load64(walk->sp, &failed);
	bool is_in_object = objects_find(&object, walk->pc);

	if (failed ||
	    !(is_in_object ? objects_is_return_address(pc) : is_behind_call(pc)))
		return false;
	walk->sp += 8;
	walk->pc = pc;
	return true;
}

/* Find where the instructions release the frame. Code made at run time is examined only
 * where it is certainly mapped, and only close to its return, because the result is not
 * cached. */
static struct way_out find_way_out(const struct walk *walk, uint32_t row)
{
	struct way_out way = way_out_unpack(row_way_out(row));
	struct unwind_object object;

	if (way.base == WAY_OUT_NONE && (walk->may_fault || !walk->is_guessed) &&
	    !objects_find(&object, walk->pc - !walk->is_exact) &&
	    is_possible_code(walk->pc) && !way_out_is_near(&way, walk->pc))
		way.base = WAY_OUT_NONE;
	return way;
}

/* Returns the address that the way out counts from; 0: unknown. */
static uint64_t base_of_way(const struct walk *walk, const struct way_out *way)
{
	uint32_t failed = 0;

	switch (way->base) {
	case WAY_OUT_SP:
		return walk->sp;
	case WAY_OUT_BP:
		return walk->bp;
	case WAY_OUT_SAVED_SP:
		return guarded_load64(walk->sp + (uint64_t)(int64_t)way->slot, &failed);
	default:
		return 0;
	}
}

/* A word that points out of all objects is accepted only if pc is outside as well. */
static bool is_plausible_caller(const struct walk *walk, uint64_t pc)
{
	struct unwind_object object;

	return objects_find(&object, walk->pc - !walk->is_exact)
		       ? objects_is_return_address(pc)
		       : is_behind_call(pc);
}

static bool step_by_way_out(struct walk *walk, uint32_t row)
{
	struct way_out way = find_way_out(walk, row);
	uint64_t base = base_of_way(walk, &way);
	uint64_t slot = base + (uint64_t)(int64_t)way.offset, pc;
	uint32_t failed = 0;

	if (base % 8 != 0 || slot < walk->sp || slot >= stack_top(walk))
		return false;
	pc = guarded_load64(slot, &failed);
	if (failed || !is_plausible_caller(walk, pc))
		return false;
	if (way.has_bp)
		walk->bp =
			guarded_load64(base + (uint64_t)(int64_t)way.bp_offset, &failed);
	walk->sp = slot + 8;
	walk->pc = pc;
	walk->is_exact = false;
	return true;
}

/*
 * From the stack of a Go thread to that of the goroutine that asked for work there:
 * systemstack() calls the work after it has changed sp, but not bp. That is still the
 * frame pointer of its own caller, in whose frame lies the address that it returns to.
 * First, bp follows the frames on the stack of the thread. It may be anything, so this is
 * for code that was interrupted.
 */
static bool step_over_switch(struct walk *walk)
{
	uint64_t bp = walk->bp;
	uint32_t failed = 0;

	for (unsigned i = 0; i < SWITCH_FRAMES && walk->sp - bp < FRAME_LIMIT; i++)
		bp = guarded_load64(bp, &failed);
	for (uint64_t slot = bp - 8; !failed && slot > bp - SWITCH_SEARCH; slot -= 8) {
		uint64_t pc = guarded_load64(slot, &failed);

		if (distance_from_call(pc, walk->pc) >= SWITCH_SIZE)
			continue;
		walk->pc = pc;
		walk->sp = slot + 8;
		walk->bp = bp;
		return !failed;
	}
	return false;
}

bool walk_without_rules(struct walk *walk, uint32_t row)
{
	bool is_leaf = walk->is_exact;

	if (row_is_switch(row))
		return walk->may_fault && step_over_switch(walk);
	if (step_by_way_out(walk, row))
		return true;
	walk->is_exact = false;
	walk->is_guessed = true;
	if (is_leaf &&
	    (step_at_edge(walk) || step_by_nearest_call(walk) || step_by_leaf(walk)))
		return true;
	return step_by_frame_pointer(walk);
}
