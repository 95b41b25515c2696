/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk. Nearly every frame is one row of the table, applied to pc, sp and bp. A
 * missing row is made from .eh_frame; a frame that needs other registers goes through the
 * full rules, which begin where all registers were last known: at the interrupted
 * instruction, at a signal frame, or after the last such frame.
 */

#include "collector/unwind/unwind.h"

#include "collector/unwind/expression.h"
#include "collector/unwind/objects.h"
#include "collector/unwind/private.h"

#define FULL_STEPS_LIMIT    64 /* frames walked again to find other registers */
#define SIGNAL_FRAMES_LIMIT 64 /* of a handler and the functions it called */
#define NEAR_FRAMES_LIMIT   16 /* in which unwind_frames_in() looks */

static row_entry *rows;

/* ---- set-up ---------------------------------------------------------------------------
 */

bool unwind_init(void)
{
	if (!rows)
		rows = rows_open();
	unwind_refresh();
	return rows != NULL;
}

row_entry *unwind_rows(void)
{
	return rows;
}

void unwind_refresh(void)
{
	bool has_shrunk = false;

	/* If memory runs out, the old list stays, and its rows could be applied to other
	 * objects at the same addresses: forget them. */
	if ((!objects_refresh(&has_shrunk) || has_shrunk) && rows)
		rows_clear(rows);
}

bool unwind_is_behind(void)
{
	return objects_are_behind();
}

void unwind_forget(void)
{
	if (rows)
		rows_clear(rows);
}

void unwind_after_fork(void)
{
	objects_after_fork();
}

/* ---- other frames ---------------------------------------------------------------------
 */

/* Step over one frame by its full rules. *is_exact: the next pc was interrupted. */
static bool step_registers(struct registers *registers, bool *is_exact)
{
	uint64_t pc = registers->value[REGISTER_PC], address = pc - !*is_exact;
	uint64_t sp = registers->value[REGISTER_SP];
	struct unwind_object object;
	struct cfi_rules rules;

	if (!objects_find(&object, address) ||
	    objects_find_rules(&rules, &object, address) != CFI_FOUND ||
	    !cfi_apply(&rules, registers))
		return false;
	*is_exact = rules.is_signal_frame;
	return *is_exact || (registers->value[REGISTER_SP] > sp &&
			     objects_is_return_address(registers->value[REGISTER_PC]));
}

static bool stand_at(struct walk *walk, const struct registers *registers, bool is_exact)
{
	const uint32_t needed = 1u << REGISTER_PC | 1u << REGISTER_SP;

	if ((registers->known & needed) != needed)
		return false;
	walk->pc = registers->value[REGISTER_PC];
	walk->sp = registers->value[REGISTER_SP];
	if (registers->known >> REGISTER_BP & 1)
		walk->bp = registers->value[REGISTER_BP];
	walk->is_exact = is_exact;
	return true;
}

/* Apply the rules to the registers that the walk knows: they may need no others. */
static bool step_by_few_registers(struct walk *walk)
{
	bool is_exact = walk->is_exact;
	struct registers registers = {
		.value = {
			[REGISTER_BP] = walk->bp,
			[REGISTER_SP] = walk->sp,
			[REGISTER_PC] = walk->pc,
		},
		.known = 1u << REGISTER_BP | 1u << REGISTER_SP | 1u << REGISTER_PC,
	};

	return step_registers(&registers, &is_exact) &&
	       stand_at(walk, &registers, is_exact);
}

static bool step_by_all_registers(struct walk *walk)
{
	struct registers *full = &walk->full;
	bool is_exact = walk->full_is_exact;

	if (walk->count - walk->full_frame > FULL_STEPS_LIMIT)
		return false;
	if (walk->full_context && !registers_from_context(full, walk->full_context))
		return false;
	walk->full_context = 0;
	for (; walk->full_frame < walk->count; walk->full_frame++) {
		if (!step_registers(full, &is_exact)) {
			full->known = 0;
			return false;
		}
	}
	walk->full_is_exact = is_exact;
	return stand_at(walk, full, is_exact);
}

static bool step_by_rules(struct walk *walk)
{
	return step_by_few_registers(walk) || step_by_all_registers(walk);
}

static bool step_by_signal_frame(struct walk *walk)
{
	if (!registers_from_context(&walk->full, walk->sp))
		return false;
	walk->full_context = 0;
	walk->full_frame = walk->count;
	walk->full_is_exact = true;
	return stand_at(walk, &walk->full, true);
}

static bool step_by_saved_cfa(struct walk *walk, uint32_t row)
{
	bool is_bp = row_kind(row) == ROW_SAVED_BP;
	uint64_t place = is_bp ? walk->bp - row_offset(row) : walk->sp + row_offset(row);
	uint32_t failed = 0;
	uint64_t cfa = guarded_load64(place, &failed) + (is_bp ? 0 : 8);

	if (failed || cfa <= walk->sp || cfa > stack_top(walk))
		return false;
	if (is_bp)
		walk->bp = guarded_load64(walk->bp, &failed);
	else if (row_bp_slot(row))
		walk->bp = guarded_load64(cfa - 8 - 8 * row_bp_slot(row), &failed);
	walk->pc = guarded_load64(cfa - 8, &failed);
	walk->sp = cfa;
	walk->is_exact = false;
	return !failed;
}

static bool __attribute__((noinline)) step_otherwise(struct walk *walk, uint32_t row)
{
	switch (row_kind(row)) {
	case ROW_SAVED_SP:
	case ROW_SAVED_BP:
		return step_by_saved_cfa(walk, row);
	case ROW_SIGNAL:
		return step_by_signal_frame(walk);
	case ROW_OTHER:
		return (!row_is_without_rules(row) && !row_is_switch(row) &&
			step_by_rules(walk)) ||
		       walk_without_rules(walk, row);
	default:
		return false;
	}
}

/* ---- the walk -------------------------------------------------------------------------
 */

/* Walk frames of the usual kinds, with the state in registers; stop at the first
 * of another kind. */
static inline __attribute__((always_inline)) uint32_t walk_usual_frames(struct walk *walk)
{
	uint64_t pc = walk->pc, sp = walk->sp, bp = walk->bp;
	uint64_t exact = walk->is_exact, after = pc + exact;
	size_t count = walk->count;
	uint64_t top = stack_top(walk);
	uint32_t failed = 0, row;

	for (;;) {
		uint64_t cfa;
		unsigned slot;

		row = rows_find(rows, after - 1);
		if (__builtin_expect(!row, 0))
			row = rows_make(rows, after - 1, pc,
					walk->may_fault || !walk->is_guessed);
		walk->pcs[count++] = exact ? pc : pc - row_call_length(row);
		if (__builtin_expect(row_kind(row) > ROW_BP, 0))
			break;
		cfa = (row_kind(row) == ROW_SP ? sp : bp) + row_offset(row);
		slot = row_bp_slot(row);
		if (__builtin_expect(cfa <= sp || cfa > top, 0))
			break;
		after = pc = guarded_load64(cfa - 8, &failed);
		if (slot)
			bp = guarded_load64(cfa - 8 - 8 * slot, &failed);
		sp = cfa;
		exact = 0;
		if (__builtin_expect(!pc || failed || count == walk->limit, 0)) {
			row = ROW_NONE;
			break;
		}
	}
	walk->pc = pc;
	walk->sp = sp;
	walk->bp = bp;
	walk->is_exact = exact;
	walk->count = count;
	return failed ? ROW_BP : row;
}

static enum unwind_end walk_frames(struct walk *walk)
{
	for (;;) {
		uint32_t row = walk_usual_frames(walk);

		if (row_kind(row) == ROW_END)
			return UNWIND_WHOLE;
		if (row_kind(row) != ROW_NONE && !step_otherwise(walk, row))
			return UNWIND_FAILED;
		if (!walk->pc && !walk->is_exact)
			return UNWIND_WHOLE;
		if (walk->count >= walk->limit)
			return UNWIND_TRUNCATED;
	}
}

static size_t walk_all(struct walk *walk, enum unwind_end *end)
{
	*end = UNWIND_TRUNCATED;
	if (walk->limit == 0)
		return 0;
	if (!rows) {
		*end = UNWIND_FAILED;
		walk->pcs[0] = walk->pc;
		return 1;
	}
	*end = walk_frames(walk);
	return walk->count;
}

static void begin_at_context(struct walk *walk, uint64_t *pcs, size_t limit,
			     const struct unwind_bounds *bounds,
			     const ucontext_t *context)
{
	walk->pcs = pcs;
	walk->limit = limit;
	walk->count = 0;
	walk->bounds = bounds;
	walk->pc = context_pc(context);
	walk->sp = context_sp(context);
	walk->bp = context_bp(context);
	walk->is_exact = true;
	walk->may_fault = true;
	walk->is_guessed = false;
	walk->full_context = (uintptr_t)context;
	walk->full_frame = 0;
	walk->full_is_exact = true;
}

size_t unwind_stack(uint64_t *pcs, size_t limit, const ucontext_t *context,
		    const struct unwind_bounds *bounds, enum unwind_end *end)
{
	struct walk walk;

	begin_at_context(&walk, pcs, limit, bounds, context);
	return walk_all(&walk, end);
}

/* Walk one frame. False: its caller is unknown. */
static bool walk_one(struct walk *walk)
{
	size_t count = walk->count;
	uint32_t row;

	walk->limit = count + 1;
	row = walk_usual_frames(walk);
	return (row_kind(row) == ROW_NONE || step_otherwise(walk, row)) && walk->pc != 0;
}

size_t unwind_frames_in(struct unwind_frame *frames, size_t limit,
			const ucontext_t *context, const struct unwind_bounds *bounds,
			const struct unwind_bounds *code)
{
	uint64_t pcs[NEAR_FRAMES_LIMIT];
	struct walk walk;
	size_t found = 0;

	if (!rows)
		return 0;
	begin_at_context(&walk, pcs, NEAR_FRAMES_LIMIT, bounds, context);
	while (found < limit && walk.count < NEAR_FRAMES_LIMIT && walk_one(&walk))
		if (walk.pc >= code->low && walk.pc < code->high)
			frames[found++] =
				(struct unwind_frame){ walk.pc, walk.sp, walk.bp };
	return found;
}

size_t unwind_entered(uint64_t *pcs, size_t limit, const struct unwind_bounds *bounds,
		      enum unwind_end *end, const struct entry_registers *entry);

size_t unwind_entered(uint64_t *pcs, size_t limit, const struct unwind_bounds *bounds,
		      enum unwind_end *end, const struct entry_registers *entry)
{
	struct walk walk;

	walk.pcs = pcs;
	walk.limit = limit;
	walk.count = 0;
	walk.bounds = bounds;
	registers_from_entry(&walk.full, entry);
	stand_at(&walk, &walk.full, false);
	walk.may_fault = false;
	walk.is_guessed = false;
	walk.full_context = 0;
	walk.full_frame = 0;
	walk.full_is_exact = false;
	return walk_all(&walk, end);
}

__asm__(UNWIND_HERE_CODE);

static void begin_at_frame(struct walk *walk, uint64_t *pcs, size_t limit,
			   const struct unwind_bounds *bounds, const void *frame)
{
	walk->pcs = pcs;
	walk->limit = limit;
	walk->count = 0;
	walk->bounds = bounds;
	registers_from_frame(&walk->full, frame);
	stand_at(walk, &walk->full, false);
	walk->may_fault = false;
	walk->is_guessed = false;
	walk->full_context = 0;
	walk->full_frame = 0;
	walk->full_is_exact = false;
}

size_t unwind_from(uint64_t *pcs, size_t limit, const struct unwind_bounds *bounds,
		   enum unwind_end *end, const void *frame)
{
	struct walk walk;

	begin_at_frame(&walk, pcs, limit, bounds, frame);
	return walk_all(&walk, end);
}

static bool meets_signal(struct walk *walk, uintptr_t place)
{
	uint32_t row;

	do {
		row = walk_usual_frames(walk);
		if (row_kind(row) == ROW_SIGNAL)
			return walk->sp < place;
	} while (walk->sp < place && walk->count < walk->limit &&
		 row_kind(row) != ROW_NONE && step_otherwise(walk, row));
	return false;
}

bool unwind_meets_signal(const void *frame, uintptr_t place,
			 const struct unwind_bounds *bounds)
{
	uint64_t pcs[SIGNAL_FRAMES_LIMIT];
	struct walk walk;

	if (!rows)
		return false;
	begin_at_frame(&walk, pcs, SIGNAL_FRAMES_LIMIT, bounds, frame);
	return meets_signal(&walk, place);
}

bool unwind_is_in_handler(const ucontext_t *context, const struct unwind_bounds *bounds)
{
	uint64_t pcs[SIGNAL_FRAMES_LIMIT];
	struct walk walk;

	if (!rows)
		return false;
	begin_at_context(&walk, pcs, SIGNAL_FRAMES_LIMIT, bounds, context);
	return meets_signal(&walk, UINTPTR_MAX);
}

/* ---- faults ---------------------------------------------------------------------------
 */

extern const struct guarded_load __start_guarded_loads[],
	__stop_guarded_loads[] __attribute__((visibility("hidden")));

bool unwind_fault(ucontext_t *context, uintptr_t address)
{
	uintptr_t pc = context_pc(context);

	for (const struct guarded_load *at = __start_guarded_loads;
	     at < __stop_guarded_loads; at++) {
		if ((uintptr_t)&at->load + (uintptr_t)(intptr_t)at->load != pc)
			continue;
		context->uc_mcontext.gregs[REG_RIP] =
			(greg_t)((uintptr_t)&at->exit + (uintptr_t)(intptr_t)at->exit);
		return true;
	}
	return false;
}
