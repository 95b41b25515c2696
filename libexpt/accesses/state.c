/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/state.h"

#include <string.h>

#include "libexpt/accesses/memory.h"
#include "libexpt/accesses/merge.h"
#include "libexpt/accesses/number.h"
#include "libexpt/accesses/slots.h"
#include "libexpt/types/callee.h"

/* ---- entry ------------------------------------------------------------------------- */

/* Symbols of what registers have at the entry; those of steps are larger. */
static uint64_t entry_symbol(int number)
{
	return (uint64_t)number + 1;
}

void state_at_entry(struct state *state, const struct function *function)
{
	const struct convention *convention = function->convention;

	memset(state, 0, sizeof(*state));
	for (int i = 0; i < REGISTERS; i++) {
		uint64_t symbol = entry_symbol(i);
		const struct value *known = facts_find(function->facts, symbol);

		state->registers[i] = known ? *known : number_of_symbol(symbol);
	}
	state->registers[convention->stack_pointer] = value_frame(convention->entry);
}

/* ---- stores ------------------------------------------------------------------------ */

/* A register whose value goes to a pointer is one. */
static void learn(const struct state *state, const struct function *function,
		  const struct step *step)
{
	const struct value *from = &state->registers[step->from];
	struct value there;

	if (from->kind != VALUE_NUMBER || from->symbol == 0)
		return;
	there = memory_load(function, state, step);
	facts_note(function->facts, function->types, from, &there);
}

static void store(struct state *state, const struct function *function,
		  const struct step *step)
{
	struct value to = memory_operand(function, state, step), value = value_any();

	if (to.kind != VALUE_FRAME || to.is_open)
		return;
	if (step->kind == STEP_STORE && step->from >= 0 && step->width == WORD_SIZE)
		value = state->registers[step->from];
	if (value.kind > VALUE_ANY)
		slots_set(state, to.offset, &value);
	else
		slots_forget(state, to.offset, step->width);
}

/* ---- instructions ------------------------------------------------------------------ */

static void push(struct state *state, int stack_pointer, int from)
{
	struct value *top = &state->registers[stack_pointer],
		     less = number_exact(-WORD_SIZE);
	struct value value = from >= 0 ? state->registers[from] : value_any();

	*top = value_add(top, &less);
	if (top->kind == VALUE_FRAME && !top->is_open)
		slots_set(state, top->offset, &value);
}

static void pop(struct state *state, int stack_pointer, int to)
{
	struct value *top = &state->registers[stack_pointer],
		     more = number_exact(WORD_SIZE);
	struct value value = top->kind == VALUE_FRAME && !top->is_open
				     ? slots_get(state, top->offset)
				     : value_any();

	*top = value_add(top, &more);
	if (to >= 0)
		state->registers[to] = value;
}

/* Registers and slots with the number that the symbol had before keep what is known of
 * any. */
static void forget_symbol(struct state *state, uint64_t symbol)
{
	for (size_t i = 0; i < REGISTERS; i++)
		number_forget(&state->registers[i], symbol);
	for (size_t i = 0; i < SLOTS; i++)
		number_forget(&state->slots[i].value, symbol);
}

/* A register gets a number that is not known: its step names it. */
static void define(struct state *state, const struct function *function, int number,
		   const struct step *step)
{
	uint64_t symbol = (step->address + 1) * REGISTERS + (uint64_t)number + 1;
	const struct value *known = facts_find(function->facts, symbol);

	forget_symbol(state, symbol);
	state->registers[number] = known ? *known : number_of_symbol(symbol);
}

/* Returns the type of what a call returns, or NULL. */
static const struct type *returned_type(const struct function *function,
					const struct step *step,
					const struct callee *callee)
{
	const struct variable_call *call =
		variables_call(&function->variables, step->address + step->size);

	if (call && call->type)
		return call->type;
	return callee ? callee->returned : NULL;
}

/* Returns the number of the register with a parameter, or a negative one. */
static int parameter_register(const struct function *function,
			      const struct callee *callee,
			      const struct parameter *parameter)
{
	if (parameter->number == PARAMETER_IN_ORDER)
		return function->convention->parameters[parameter - callee->parameters];
	return parameter->number;
}

static struct value parameter_value(const struct state *state,
				    const struct function *function,
				    const struct callee *callee,
				    const struct parameter *parameter)
{
	int number = parameter_register(function, callee, parameter);

	return number >= 0 && number < REGISTERS ? state->registers[number] : value_any();
}

static void learn_parameters(const struct state *state, const struct function *function,
			     const struct callee *callee)
{
	for (size_t i = 0; callee && i < callee->count; i++) {
		const struct parameter *parameter = &callee->parameters[i];
		int number = parameter_register(function, callee, parameter);
		struct value pointer;

		if (number < 0 || number >= REGISTERS || !parameter->type ||
		    parameter->type->kind != TYPE_POINTER)
			continue;
		pointer = value_pointer(function->types, parameter->type->target);
		facts_note(function->facts, function->types, &state->registers[number],
			   &pointer);
	}
}

/* The word of a result, or a number that is not known. */
static void set_result(struct state *state, const struct function *function,
		       const struct step *step, int number, const struct type *type,
		       uint64_t offset)
{
	struct value word = value_any();

	if (type && offset < type->size && type->size <= 2 * WORD_SIZE)
		word = memory_word(function, type, offset);
	if (word.kind == VALUE_ANY)
		define(state, function, number, step);
	else
		state->registers[number] = word;
}

static const struct callee *callee_of(const struct function *function,
				      const struct step *step)
{
	if (step->has_target)
		return callee_at(function->types, step->target);
	return step->operand.is_relative
		       ? callee_through(function->types,
					(uint64_t)step->operand.displacement)
		       : NULL;
}

bool state_ends(const struct function *function, const struct step *step)
{
	const struct variable_call *call;
	const struct callee *callee;

	if (step->kind != STEP_CALL)
		return false;
	call = variables_call(&function->variables, step->address + step->size);
	callee = callee_of(function, step);
	return (call && call->is_noreturn) || (callee && callee->is_noreturn);
}

static void call(struct state *state, const struct function *function,
		 const struct step *step)
{
	const struct convention *convention = function->convention;
	const struct callee *callee = callee_of(function, step);
	const struct type *type = returned_type(function, step, callee);
	struct value result = value_any();

	if (callee && callee->result)
		result = parameter_value(state, function, callee, callee->result);
	learn_parameters(state, function, callee);
	for (int i = 0; i < REGISTERS; i++)
		if (convention->lost >> i & 1)
			state->registers[i] = value_any();
	if (result.kind != VALUE_ANY)
		state->registers[convention->result] = result;
	else
		set_result(state, function, step, convention->result, type, 0);
	set_result(state, function, step, convention->more_result, type, WORD_SIZE);
}

static struct value masked(uint64_t mask)
{
	uint64_t lowest = mask & -mask;

	return number_up_to(lowest, (uint8_t)(mask / lowest));
}

static bool is_flag(const struct value *value)
{
	return value->is_flag ||
	       (value->kind == VALUE_NUMBER && value->multiple == 1 && value->steps == 1);
}

static struct value result_of(const struct state *state, const struct function *function,
			      const struct step *step)
{
	struct value number = number_exact(step->number), from = value_any();
	const struct value *to = &state->registers[step->to];

	if (step->from >= 0)
		from = state->registers[step->from];
	switch (step->kind) {
	case STEP_MOVE:
		return from;
	case STEP_MAYBE:
		return merge_values(function, to, &from);
	case STEP_NUMBER:
		return number;
	case STEP_ADDRESS:
		return memory_operand(function, state, step);
	case STEP_LOAD:
		return memory_load(function, state, step);
	case STEP_ADD:
		return memory_add(function, state, step, to,
				  step->from == REGISTER_NONE ? &number : &from);
	case STEP_SUBTRACT:
		return value_subtract(to, step->from == REGISTER_NONE ? &number : &from);
	case STEP_MULTIPLY:
		return value_times(&from, step->number);
	case STEP_MASK:
		return masked((uint64_t)step->number);
	case STEP_FLAG:
		return number_is_nowhere(to) && to->offset == 0 ? number_up_to(1, 1)
								: value_any();
	case STEP_BYTE:
		return is_flag(&from) ? number_up_to(1, 1) : value_any();
	default:
		return value_any();
	}
}

/* Numbers in tables of virtual functions are offsets of base classes, not of elements of
 * arrays. */
static bool is_from_table(const struct state *state, const struct function *function,
			  const struct step *step)
{
	struct value from;

	if (step->kind != STEP_LOAD)
		return false;
	from = memory_operand(function, state, step);
	return from.kind == VALUE_POINTER && from.type->kind == TYPE_POINTER &&
	       from.type->target && from.type->target->kind == TYPE_CODE;
}

static void compute(struct state *state, const struct function *function,
		    const struct step *step)
{
	struct value result = result_of(state, function, step);
	bool is_table = is_from_table(state, function, step);

	if (step->is_narrow)
		result = value_narrow(&result);
	if (number_is_vague(&result) && step->kind != STEP_SUBTRACT && !is_table) {
		define(state, function, step->to, step);
		if (result.is_count)
			number_count(&state->registers[step->to], &result);
		state->registers[step->to].is_flag = step->kind == STEP_FLAG &&
						     state->registers[step->to].kind ==
							     VALUE_NUMBER;
	} else {
		state->registers[step->to] = result;
	}
}

static void lose_written(struct state *state, const struct function *function,
			 const struct step *step)
{
	for (int i = 0; i < REGISTERS; i++)
		if (step->written >> i & 1)
			define(state, function, i, step);
}

void state_step(struct state *state, const struct function *function,
		const struct step *step)
{
	const struct convention *convention = function->convention;

	if (step->kind == STEP_STORE && step->from >= 0 && step->width == WORD_SIZE)
		learn(state, function, step);
	if (step->is_access && step->is_write)
		store(state, function, step);
	switch (step->kind) {
	case STEP_MOVE:
	case STEP_MAYBE:
	case STEP_NUMBER:
	case STEP_ADDRESS:
	case STEP_LOAD:
	case STEP_ADD:
	case STEP_SUBTRACT:
	case STEP_MULTIPLY:
	case STEP_MASK:
	case STEP_FLAG:
	case STEP_BYTE:
		compute(state, function, step);
		break;
	case STEP_PUSH:
		push(state, convention->stack_pointer, step->from);
		break;
	case STEP_POP:
		pop(state, convention->stack_pointer, step->to);
		break;
	case STEP_LEAVE:
		state->registers[convention->stack_pointer] =
			state->registers[convention->frame_pointer];
		pop(state, convention->stack_pointer, convention->frame_pointer);
		break;
	case STEP_CALL:
		call(state, function, step);
		break;
	case STEP_STORE:
		break;
	default:
		lose_written(state, function, step);
		break;
	}
}
