/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules of files apply to addresses of the files as they are mapped here, and to the copy
 * of the stack: addresses into either are led from the process to their place here. What
 * rules load from the copy are again addresses of the process.
 */

#include "collector/outside/walk.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "collector/unwind/expression.h"
#include "collector/unwind/unwind.h"
#include "collector/unwind/way_out.h"
#include "libexpt/format.h"

#define CONTEXT_SIZE	 256 /* of a signal frame, as far as it has registers */
#define STACK_SIZE_LIMIT (UINT64_C(1) << 26)
#define SEARCH_WORDS	 12
#define ENTRY_LIMIT	 256 /* bytes of start-up code without rules */

/* The registers of a record by their DWARF numbers. */
static const unsigned char numbers[RECORD_REGISTERS_COUNT] = {
	0, 3, 2, 1, 4, 5, 6, 7, 16, 8, 9, 10, 11, 12, 13, 14, 15,
};

struct stack {
	const struct mappings *mappings;
	uint64_t low, high; /* in the process */
	uintptr_t copy;	    /* where low is here */
	bool is_cut;
};

struct frame {
	struct registers registers; /* led here, except for PC */
	bool is_exact;		    /* its PC was interrupted */
	bool is_beyond;		    /* its caller's part of the stack was not copied */
};

/* ---- faults ---- */

static __thread sigjmp_buf recovery;
static __thread volatile sig_atomic_t is_walking;

static void skip_fault(int signal, siginfo_t *info, void *context)
{
	if (unwind_fault(context, (uintptr_t)info->si_addr))
		return;
	if (is_walking)
		siglongjmp(recovery, 1);
	abort();
}

void walk_init(void)
{
	struct sigaction action = { .sa_sigaction = skip_fault,
				    .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

/* ---- addresses ---- */

static bool is_in_copy(const struct stack *stack, uint64_t address, size_t size)
{
	return address >= stack->copy &&
	       address + size <= stack->copy + (stack->high - stack->low);
}

/* Lead an address of the process that is on its stack to the copy. */
static uint64_t lead(const struct stack *stack, uint64_t value)
{
	return value >= stack->low && value <= stack->high
		       ? stack->copy + (value - stack->low)
		       : value;
}

static bool load(const struct stack *stack, uint64_t address, uint64_t *value)
{
	if (!is_in_copy(stack, address, sizeof(*value)))
		return false;
	memcpy(value, (const void *)(uintptr_t)address, sizeof(*value));
	return true;
}

/* Returns where the code at this address of the process is here, or 0. */
static uintptr_t place_of(const struct stack *stack, uint64_t pc,
			  const struct binary **binary)
{
	const struct mapping *mapping = mappings_find(stack->mappings, pc);

	*binary = mapping ? mapping->binary : NULL;
	return *binary ? binary_address(*binary,
					mapping->file_offset + (pc - mapping->address))
		       : 0;
}

/* Returns the address of the call that returns there; 0: none does. */
static uint64_t call_before(const struct stack *stack, uint64_t return_address)
{
	const struct binary *binary;
	uintptr_t place = place_of(stack, return_address - 1, &binary);
	unsigned length;

	if (!place)
		return mappings_find(stack->mappings, return_address - 1) ? return_address
									  : 0;
	length = call_length(place + 1, binary->code_low, binary->code_high);
	if (length > 0)
		return return_address - length;
	return is_stack_root(place + 1) || is_signal_return(place + 1) ? return_address
								       : 0;
}

/* ---- steps ---- */

static void lead_registers(const struct stack *stack, struct registers *registers)
{
	for (unsigned i = 0; i < REGISTER_PC; i++)
		registers->value[i] = lead(stack, registers->value[i]);
}

static bool step_by_signal_frame(const struct stack *stack, struct frame *frame)
{
	uint64_t sp = frame->registers.value[REGISTER_SP];

	if (!is_in_copy(stack, sp, CONTEXT_SIZE) ||
	    !registers_from_context(&frame->registers, sp))
		return false;
	frame->is_exact = true;
	return true;
}

/* A rule that is wrong leads anywhere. */
static bool is_known_stack(const struct stack *stack, const struct registers *registers)
{
	return registers->value[REGISTER_SP] - stack->copy < STACK_SIZE_LIMIT;
}

static bool step_by_rules(const struct stack *stack, struct frame *frame,
			  const struct cfi_section *section, uintptr_t place)
{
	uint32_t hint = 0;
	struct cfi_rules rules;
	struct registers registers = frame->registers;

	if (cfi_find(&rules, section, place - !frame->is_exact, &hint) != CFI_FOUND)
		return false;
	if (rules.state.kinds[REGISTER_PC] == RULE_UNDEFINED) {
		frame->registers.value[REGISTER_PC] = 0;
		return true;
	}
	if (rules.is_signal_frame && is_signal_return(place))
		return step_by_signal_frame(stack, frame);
	registers.value[REGISTER_PC] = place;
	if (!cfi_apply(&rules, &registers) ||
	    registers.value[REGISTER_SP] <= frame->registers.value[REGISTER_SP])
		return false;
	if (!is_in_copy(stack, registers.value[REGISTER_SP] - 8, 8)) {
		frame->is_beyond = is_known_stack(stack, &registers);
		return false;
	}
	frame->registers = registers;
	frame->is_exact = rules.is_signal_frame;
	return true;
}

/* Take the word at the address as the return address. */
static bool return_to(const struct stack *stack, struct frame *frame, uint64_t address)
{
	uint64_t pc;

	if (!load(stack, address, &pc) || call_before(stack, pc) == 0)
		return false;
	frame->registers.value[REGISTER_PC] = pc;
	frame->registers.value[REGISTER_SP] = address + 8;
	frame->is_exact = false;
	return true;
}

static bool step_by_way_out(const struct stack *stack, struct frame *frame,
			    const struct binary *binary, uintptr_t place)
{
	uint64_t sp = frame->registers.value[REGISTER_SP];
	uint64_t bp = frame->registers.value[REGISTER_BP], saved;
	struct way_out way;

	if (is_jump_stub(place))
		return return_to(stack, frame, sp);
	if (!way_out_find(&way, place, binary->code_low, binary->code_high))
		return false;
	if (way.base == WAY_OUT_BP)
		sp = bp;
	else if (way.base == WAY_OUT_SAVED_SP &&
		 !load(stack, sp + (uint64_t)(int64_t)way.slot, &sp))
		return false;
	sp = lead(stack, sp);
	if (way.has_bp && !load(stack, sp + (uint64_t)(int64_t)way.bp_offset, &bp))
		return false;
	saved = frame->registers.value[REGISTER_BP];
	frame->registers.value[REGISTER_BP] = bp;
	if (return_to(stack, frame, sp + (uint64_t)(int64_t)way.offset))
		return true;
	frame->registers.value[REGISTER_BP] = saved;
	return false;
}

static bool step_by_frame_pointer(const struct stack *stack, struct frame *frame)
{
	uint64_t bp = frame->registers.value[REGISTER_BP], next;

	if (bp % 8 != 0 || bp < frame->registers.value[REGISTER_SP] ||
	    !load(stack, bp, &next) || !return_to(stack, frame, bp + 8))
		return false;
	frame->registers.value[REGISTER_BP] = next;
	return true;
}

/* The first words of the stack may have the return address. */
static bool step_by_search(const struct stack *stack, struct frame *frame)
{
	uint64_t sp = frame->registers.value[REGISTER_SP];

	for (unsigned i = 0; i < SEARCH_WORDS; i++)
		if (return_to(stack, frame, sp + 8UL * i))
			return true;
	return false;
}

static bool step(const struct stack *stack, struct frame *frame)
{
	uint64_t pc = frame->registers.value[REGISTER_PC];
	const struct binary *binary;
	uintptr_t place = place_of(stack, pc - !frame->is_exact, &binary);

	if (place)
		place += !frame->is_exact;
	if (place && step_by_rules(stack, frame, &binary->rules, place))
		return true;
	if (frame->is_beyond)
		return false;
	if (place && is_signal_return(place))
		return step_by_signal_frame(stack, frame);
	if (place && binary->entry && place - binary->entry < ENTRY_LIMIT) {
		frame->registers.value[REGISTER_PC] = 0;
		return true;
	}
	return (place && step_by_way_out(stack, frame, binary, place)) ||
	       step_by_frame_pointer(stack, frame) ||
	       (place && step_by_search(stack, frame));
}

/* ---- the walk ---- */

static void begin(struct stack *stack, struct frame *frame,
		  const struct perf_record *record, const struct mappings *mappings)
{
	*frame = (struct frame){ .is_exact = true };
	for (unsigned i = 0; i < RECORD_REGISTERS_COUNT; i++)
		frame->registers.value[numbers[i]] = record->registers[i];
	frame->registers.known = (1u << REGISTERS) - 1;
	stack->mappings = mappings;
	stack->low = frame->registers.value[REGISTER_SP];
	stack->high = stack->low + record->stack_size;
	stack->copy = (uintptr_t)record->stack;
	lead_registers(stack, &frame->registers);
}

static size_t walk(uint64_t *pcs, size_t limit, const struct stack *stack,
		   struct frame *frame)
{
	size_t count = 0;

	for (;;) {
		uint64_t pc = frame->registers.value[REGISTER_PC], call = pc;

		if (!frame->is_exact && pc != 0) {
			call = call_before(stack, pc);
			if (call == 0) {
				pcs[count++] = STACK_UNWIND_FAILED;
				return count;
			}
		}
		if (pc == 0)
			return count;
		if (count + 1 == limit) {
			pcs[count++] = STACK_TRUNCATED;
			return count;
		}
		pcs[count++] = call;
		if (!step(stack, frame)) {
			pcs[count++] = stack->is_cut || frame->is_beyond
					       ? STACK_TRUNCATED
					       : STACK_UNWIND_FAILED;
			return count;
		}
		lead_registers(stack, &frame->registers);
	}
}

size_t walk_record(uint64_t *pcs, size_t limit, const struct perf_record *record,
		   const struct mappings *mappings, bool is_cut)
{
	struct stack stack;
	struct frame frame;
	size_t count;

	if (!record->registers) {
		pcs[0] = record->pc;
		return 1;
	}
	begin(&stack, &frame, record, mappings);
	stack.is_cut = is_cut;
	if (sigsetjmp(recovery, 0) != 0) {
		is_walking = 0;
		pcs[0] = record->pc;
		pcs[1] = STACK_UNWIND_FAILED;
		return 2;
	}
	is_walking = 1;
	count = walk(pcs, limit, &stack, &frame);
	is_walking = 0;
	return count;
}

/* ---- parts of it ---- */

bool walk_read(void (*function)(void *data), void *data)
{
	if (sigsetjmp(recovery, 0) != 0) {
		is_walking = 0;
		return false;
	}
	is_walking = 1;
	function(data);
	is_walking = 0;
	return true;
}

struct question {
	struct stack stack;
	uint64_t return_address, call;
};

static void find_call(void *data)
{
	struct question *question = data;

	question->call = call_before(&question->stack, question->return_address);
}

uint64_t walk_call(const struct mappings *mappings, uint64_t return_address)
{
	struct question question = { .stack = { .mappings = mappings },
				     .return_address = return_address };

	walk_read(find_call, &question);
	return question.call != 0 && question.call != return_address ? question.call
								     : return_address - 1;
}
