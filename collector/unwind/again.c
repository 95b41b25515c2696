/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/unwind/again.h"

#include "collector/unwind/objects.h"
#include "collector/unwind/private.h"

size_t unwind_memory_size(size_t limit)
{
	return (2 * limit + 1) * sizeof(struct unwind_step) +
	       UNWIND_SHORTCUTS * sizeof(struct unwind_shortcut) +
	       2 * limit * sizeof(struct unwind_word) + limit * sizeof(uint64_t);
}

void unwind_memory_forget(struct unwind_memory *memory)
{
	for (size_t i = 0; i < UNWIND_SHORTCUTS; i++)
		memory->joins[i] = 0;
	memory->first = memory->limit;
}

void unwind_memory_init(struct unwind_memory *memory, void *bytes, size_t limit)
{
	memory->steps = bytes;
	memory->fresh = memory->steps + limit + 1;
	memory->shortcuts = (struct unwind_shortcut *)(memory->fresh + limit);
	memory->words = (struct unwind_word *)(memory->shortcuts + UNWIND_SHORTCUTS);
	memory->pcs = (uint64_t *)(memory->words + 2 * limit);
	memory->limit = limit;
	unwind_memory_forget(memory);
	memory->steps[limit].words = memory->words + 2 * limit;
}

/* Returns the first word whose value has changed, or end. */
static inline const struct unwind_word *skip_same(const struct unwind_word *word,
						  const struct unwind_word *end)
{
	while (word < end && *word->slot == word->value)
		word++;
	return word;
}

/* Returns the first step from i on that would now lead elsewhere; limit: none. */
static size_t first_changed(const struct unwind_memory *memory, size_t i)
{
	const struct unwind_word *end = memory->steps[memory->limit].words;
	const struct unwind_word *word = skip_same(memory->steps[i].words, end);

	if (word == end)
		return memory->limit;
	while (memory->steps[i + 1].words <= word)
		i++;
	return i;
}

static bool is_at(const struct unwind_step *step, const struct unwind_place *at)
{
	return step->at.sp == at->sp && step->at.pc == at->pc &&
	       (!step->uses_bp || step->at.bp == at->bp);
}

/* Copy word by word, so that later loads of that size are forwarded from the stores;
 * larger loads would wait for them. */
static inline void copy_words(void *to, const void *from, size_t size)
{
	for (size_t i = 0; i < size / sizeof(uint64_t); i++)
		__atomic_store_n((uint64_t *)to + i, ((const uint64_t *)from)[i],
				 __ATOMIC_RELAXED);
}

enum step_result { STEP_MADE, STEP_LAST, STEP_FAILED };

/* Make one step over a frame of the usual kind within the bounds, where no load faults.
 * `at` moves to the caller. */
static inline enum step_result make_step(struct unwind_step *step,
					 struct unwind_place *at, row_entry *rows,
					 const struct unwind_bounds *bounds)
{
	uint32_t row = rows_find(rows, at->pc - 1);
	uint64_t cfa;

	if (__builtin_expect(row == ROW_NONE, 0))
		row = rows_make(rows, at->pc - 1, at->pc, false);
	step->at.sp = at->sp;
	step->at.pc = at->pc;
	step->at.bp = at->bp;
	step->call = at->pc - row_call_length(row);
	step->pc_slot = step->bp_slot = NULL;
	step->uses_bp = row_kind(row) == ROW_BP;
	if (row_kind(row) == ROW_END)
		return STEP_LAST;
	if (row_kind(row) != ROW_SP && row_kind(row) != ROW_BP)
		return STEP_FAILED;
	cfa = (row_kind(row) == ROW_SP ? at->sp : at->bp) + row_offset(row);
	if (cfa <= at->sp || cfa > bounds->high || cfa % 8 != 0)
		return STEP_FAILED;
	step->pc_slot = (const uint64_t *)cfa - 1;
	if (row_bp_slot(row) != 0) {
		step->bp_slot = step->pc_slot - row_bp_slot(row);
		if ((uintptr_t)step->bp_slot < bounds->low)
			return STEP_FAILED;
		at->bp = *step->bp_slot;
	}
	at->sp = cfa;
	at->pc = *step->pc_slot;
	return at->pc == 0 ? STEP_LAST : STEP_MADE;
}

/* Store the words that the step read to find its caller, ahead of the caller's own. */
static struct unwind_word *put_words(const struct unwind_step *step,
				     const struct unwind_step *caller)
{
	struct unwind_word *word = caller->words;

	if (step->bp_slot)
		*--word = (struct unwind_word){ step->bp_slot, caller->at.bp };
	if (step->pc_slot)
		*--word = (struct unwind_word){ step->pc_slot, caller->at.pc };
	return word;
}

/* Put the fresh steps before the known ones. */
static void remember(struct unwind_memory *memory, size_t known, size_t fresh)
{
	uint64_t uses_bp = memory->steps[known].uses_bp;
	size_t to = known;

	memory->first = memory->limit;
	for (size_t i = 0; i < UNWIND_SHORTCUTS; i++)
		memory->joins[i] = memory->joins[i] < known ? 0 : memory->joins[i];
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	for (size_t i = fresh; i-- > 0;) {
		struct unwind_step *step = &memory->fresh[i];
		bool keeps_bp = !step->bp_slot;

		if (!uses_bp)
			step->bp_slot = NULL;
		uses_bp = step->uses_bp |= keeps_bp && uses_bp;
		step->words = put_words(step, &memory->steps[to]);
		copy_words(&memory->steps[--to], step, sizeof(*step));
		memory->pcs[to] = step->call;
	}
}

/* Returns the first step from known on whose sp is not below sp. */
static size_t skip_below(const struct unwind_memory *memory, size_t known, uint64_t sp)
{
	while (known < memory->limit && memory->steps[known].at.sp < sp)
		known++;
	return known;
}

bool unwind_again(struct unwind_memory *memory, const struct unwind_bounds *bounds,
		  const void *frame, size_t *first, size_t *fresh)
{
	const uint64_t *kept = frame;
	struct unwind_place at = { .sp = (uintptr_t)(kept + 2),
				   .pc = kept[1],
				   .bp = kept[0] };
	row_entry *rows = unwind_rows();
	size_t limit = memory->limit, known, comparable, count = 0;
	uint32_t generation = objects_generation();
	enum step_result result = STEP_MADE;

	if (!rows || bounds->low == bounds->high)
		return false;
	if (memory->generation != generation)
		unwind_memory_forget(memory);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memory->generation = generation;
	known = comparable = memory->first;
	while (result == STEP_MADE) {
		known = skip_below(memory, known, at.sp);
		if (known < limit && known >= comparable &&
		    is_at(&memory->steps[known], &at)) {
			comparable = first_changed(memory, known) + 1;
			if (comparable > limit)
				break;
		}
		if (count == limit)
			return false;
		result = make_step(&memory->fresh[count++], &at, rows, bounds);
	}
	if (result == STEP_LAST)
		known = limit;
	if (result == STEP_FAILED || count > known)
		return false;
	remember(memory, known, count);
	*first = known - count;
	*fresh = count;
	return true;
}

/* ---- shortcuts ---- */

static size_t shortcut_of(uint64_t pc, uint64_t sp)
{
	return (pc + sp) * 0x9E3779B97F4A7C15U >> (64 - UNWIND_SHORTCUT_BITS);
}

void unwind_tag(struct unwind_memory *memory, size_t first, size_t fresh, uint64_t tag)
{
	const struct unwind_step *leaf = &memory->steps[first];
	const struct unwind_word *shared = memory->steps[first + fresh].words;
	size_t count = (size_t)(shared - leaf->words);
	size_t i = shortcut_of(leaf->at.pc, leaf->at.sp);
	struct unwind_shortcut *shortcut = &memory->shortcuts[i];

	if (count > UNWIND_SHORTCUT_WORDS)
		return;
	memory->joins[i] = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	shortcut->at = leaf->at;
	shortcut->uses_bp = leaf->uses_bp;
	shortcut->tag = tag;
	shortcut->shared = shared;
	shortcut->end = shortcut->words + count;
	copy_words(shortcut->words, leaf->words, count * sizeof(*shared));
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	memory->joins[i] = (uint32_t)(first + fresh);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (memory->first !=
	    first) /* forgotten: a handler forked, and this is the child */
		memory->joins[i] = 0;
}

uint64_t unwind_tagged(const struct unwind_memory *memory, const void *frame)
{
	const uint64_t *kept = frame;
	uint64_t sp = (uintptr_t)(kept + 2), pc = kept[1];
	size_t i = shortcut_of(pc, sp);
	const struct unwind_shortcut *shortcut = &memory->shortcuts[i];
	const struct unwind_word *end = memory->words + 2 * memory->limit;

	if (memory->joins[i] == 0 || shortcut->at.sp != sp || shortcut->at.pc != pc ||
	    (shortcut->uses_bp && shortcut->at.bp != kept[0]) ||
	    memory->generation != objects_generation())
		return 0;
	if (skip_same(shortcut->words, shortcut->end) != shortcut->end ||
	    skip_same(shortcut->shared, end) != end)
		return 0;
	return shortcut->tag;
}
