/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of code without unwind data: made at run time, written by hand, or none at all. What its
 * instructions look like at pc, the chain of frame pointers, or a call to it on the stack tell.
 */

#include <collector/unwind/objects.h>
#include <collector/unwind/rows.h>
#include <collector/unwind/walk.h>

#define FUNCTION_LIMIT 16384 /* bytes of a function without unwind data */
#define SEARCH_WORDS   12    /* that such a function keeps on the stack */

/* Two words at that address. */
static bool is_on_stack(const struct walk *walk, uint64_t address)
{
	return address >= walk->sp && address + 16 <= stack_top(walk);
}

/* Compiled code may have anything in bp; code outside all objects must go on with the chain. */
static bool is_chain(const struct walk *walk, uint64_t pc, uint64_t bp)
{
	struct unwind_object object;

	if (objects_find(&object, pc - 1))
		return call_length(pc, object.low, object.high) != 0;
	return is_possible_code(pc) &&
	       (!bp || (bp > walk->bp && bp % 8 == 0 && is_on_stack(walk, bp)));
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

/* Does a call end there, in an object or in code made at run time? */
static bool is_behind_call(uint64_t pc)
{
	struct unwind_object object;

	if (objects_find(&object, pc - 1))
		return call_length(pc, object.low, object.high) != 0;
	return is_possible_code(pc) && call_length(pc, 0, 0) != 0;
}

/* A function with a frame pointer, before it has its frame and after. */
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

/* A function that has just been entered: of code without rules, or a call to nowhere. */
static bool step_by_leaf(struct walk *walk)
{
	uint32_t failed = 0;
	uint64_t pc = guarded_load64(walk->sp, &failed);

	if (failed || !walk_is_return_address(pc))
		return false;
	walk->sp += 8;
	walk->pc = pc;
	return true;
}

/* Has the function at pc been called there? */
static bool is_call_to(uint64_t return_address, uint64_t pc)
{
	struct unwind_object object;
	uint64_t target;

	if (!objects_find(&object, return_address - 1))
		return false;
	target = call_target(return_address, object.low, object.high);
	return target && pc - target < FUNCTION_LIMIT;
}

/*
 * Hand-written code without rules saves a few registers, if any, and keeps nothing else on the
 * stack: the return address is near, and a call to this very function stands before it. The bp is
 * the caller's, or was saved on the way.
 */
static bool step_by_search(struct walk *walk)
{
	uint64_t bp = walk->bp;

	for (unsigned i = 0; i < SEARCH_WORDS && is_on_stack(walk, walk->sp + 8 * i); i++) {
		uint64_t place = walk->sp + 8 * i;
		uint32_t failed = 0;
		uint64_t word = guarded_load64(place, &failed);

		if (failed)
			return false;
		if (is_call_to(word, walk->pc)) {
			walk->sp = place + 8;
			walk->pc = word;
			walk->bp = bp;
			return true;
		}
		if (!is_on_stack(walk, bp) && is_on_stack(walk, word))
			bp = word;
	}
	return false;
}

/* Code made at run time mostly has a frame, which is not there yet, or no more, at its edges. */
bool walk_without_rules(struct walk *walk)
{
	bool is_leaf = walk->is_exact;
	struct unwind_object object;

	walk->is_exact = false;
	if (is_leaf && step_at_edge(walk))
		return true;
	if (is_leaf && (walk->pc < 4096 || objects_find(&object, walk->pc)) &&
	    (step_by_leaf(walk) || step_by_search(walk)))
		return true;
	return step_by_frame_pointer(walk) || (is_leaf && step_by_leaf(walk));
}
