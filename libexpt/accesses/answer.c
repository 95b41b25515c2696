/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/answer.h"

#include <stddef.h>

#include "libexpt/accesses/frame.h"
#include "libexpt/accesses/memory.h"
#include "libexpt/base/idmap.h"

static bool in_frame(int64_t *offset, const struct value *value)
{
	*offset = value->offset;
	return value->kind == VALUE_FRAME && !value->is_open;
}

void answer_make(struct answer *answer, const struct function *function,
		 const struct state *state, const struct step *step)
{
	const struct operand *operand = &step->operand;
	const struct convention *convention = function->convention;

	struct value address = memory_operand(function, state, step);

	*answer = (struct answer){
		.step = step,
		.value = memory_place(function, &address),
	};
	answer->has_stack_pointer = in_frame(
		&answer->stack_pointer, &state->registers[convention->stack_pointer]);
	answer->has_frame_pointer = in_frame(
		&answer->frame_pointer, &state->registers[convention->frame_pointer]);
	if (operand->is_moving)
		return;
	if (operand->base >= 0)
		answer->base = state->registers[operand->base];
	if (operand->index < 0)
		return;
	answer->is_index_number = state->registers[operand->index].kind == VALUE_NUMBER;
	if (operand->scale != 1)
		return;
	answer->index = state->registers[operand->index];
	if (answer->index.kind >= VALUE_POINTER)
		answer->is_index_number = answer->base.kind == VALUE_NUMBER;
}

/* ---- finding ----------------------------------------------------------------------- */

struct finding {
	struct data_place *out;
	const struct answer *answer;
	const struct function *function;
	const struct access_event *event;
};

static bool is_local(const struct function *function, const struct variable *variable)
{
	const struct variable *first = function->variables.list.items;

	return first && variable >= first &&
	       variable < first + function->variables.list.count;
}

static uint64_t number_of(const struct function *function,
			  const struct variable *variable)
{
	const char *bytes = (const char *)variable;
	uint64_t number;

	if (!variable)
		return 0;
	if (!is_local(function, variable)) {
		bytes -= offsetof(struct static_variable, variable);
		return ((const struct static_variable *)bytes)->address;
	}
	number = (uint64_t)(variable - function->variables.list.items);
	return idmap_number_key(
		idmap_number_key(IDMAP_KEY, function->steps.items[0].address), number);
}

static enum access_reason found(struct finding *finding, const struct type *type,
				const struct variable *variable, uint64_t offset)
{
	*finding->out = (struct data_place){
		.types = finding->function->types,
		.type = type,
		.variable = variable,
		.variable_number = number_of(finding->function, variable),
		.is_local = is_local(finding->function, variable),
		.offset = offset,
		.width = finding->answer->step->width,
	};
	return ACCESS_FOUND;
}

/* ---- by pointers ------------------------------------------------------------------- */

/* Other accesses by a pointer to a number are those of something else. */
static bool fits(const struct value *pointer, uint64_t offset, unsigned width)
{
	uint64_t size = pointer->type->size;

	if (pointer->type->kind >= TYPE_ARRAY)
		return true;
	return offset == 0 &&
	       (width == size || ((size > 1 || pointer->is_slice) && width % size == 0));
}

/* Check whether the distance of the data from where a register points would tell which
 * data they are. */
static bool tells(const struct value *value, int register_number)
{
	return register_number >= 0 && !value->is_open &&
	       (value->kind == VALUE_POINTER || value->kind == VALUE_FRAME);
}

static bool find_by_distance(struct finding *finding, const struct value *pointer,
			     int register_number, enum access_reason *reason)
{
	const struct access_event *event = finding->event;
	uint64_t size;
	int64_t offset;

	if (!tells(pointer, register_number) || pointer->kind != VALUE_POINTER)
		return false;
	size = pointer->type->size;
	offset = (int64_t)(event->address - event->registers[register_number]);
	if (size == 0 || size > INT64_MAX ||
	    __builtin_add_overflow(offset, pointer->offset, &offset))
		return false;
	if (pointer->is_single && offset < 0)
		return false;
	if (!pointer->is_single && (offset < 0 || (uint64_t)offset >= size)) {
		if (!finding->answer->is_index_number)
			return false;
		offset %= (int64_t)size;
		if (offset < 0)
			offset += (int64_t)size;
	}
	if (!fits(pointer, (uint64_t)offset, finding->answer->step->width))
		return false;
	*reason = found(finding, pointer->type, NULL, (uint64_t)offset);
	return true;
}

/* Get the address that the registers give. */
static uint64_t computed_address(const struct finding *finding)
{
	const struct operand *operand = &finding->answer->step->operand;
	uint64_t address = (uint64_t)operand->displacement;

	if (operand->base >= 0)
		address += finding->event->registers[operand->base];
	if (operand->index >= 0)
		address += finding->event->registers[operand->index] * operand->scale;
	return address;
}

/* Registers that were taken after the instruction may have changed: the address that they
 * give must be that of the data. */
static bool knows_registers(const struct finding *finding)
{
	unsigned width = finding->answer->step->width;

	return finding->event->has_address && finding->event->has_registers &&
	       !finding->event->has_other_operands &&
	       finding->event->address - computed_address(finding) < (width ? width : 1);
}

/* Check whether registers would have told the data, had they not changed. */
static bool misses_registers(const struct finding *finding)
{
	const struct answer *answer = finding->answer;
	const struct operand *operand = &answer->step->operand;

	return finding->event->has_address && finding->event->has_registers &&
	       operand->index != REGISTER_NONE && operand->index != REGISTER_OTHER &&
	       operand->base != REGISTER_OTHER && !operand->is_thread &&
	       (tells(&answer->base, operand->base) ||
		tells(&answer->index, operand->index)) &&
	       !knows_registers(finding);
}

static bool find_by_pointer(struct finding *finding, enum access_reason *reason)
{
	const struct answer *answer = finding->answer;
	const struct operand *operand = &answer->step->operand;
	uint64_t offset;

	if (answer->value.array && finding->event->has_address)
		return false;
	if (answer->value.kind == VALUE_POINTER && !answer->value.is_open) {
		if (!value_offset(&offset, &answer->value) ||
		    !fits(&answer->value, offset, answer->step->width))
			return false;
		if (answer->value.type->is_described)
			*reason = ACCESS_UNDETERMINED;
		else if (answer->value.array)
			*reason = found(finding, answer->value.array->type,
					answer->value.array, offset);
		else
			*reason = found(finding, answer->value.type, NULL, offset);
		return true;
	}
	if (operand->index == REGISTER_NONE || !knows_registers(finding))
		return false;
	return find_by_distance(finding, &answer->base, operand->base, reason) ||
	       find_by_distance(finding, &answer->index, operand->index, reason);
}

/* ---- in the frame, and at addresses of the object ---------------------------------- */

/* A variable that is an array in other memory is a descriptor of it, which compilers made
 * up. */
static enum access_reason found_variable(struct finding *finding,
					 const struct variable *variable, uint64_t offset)
{
	if (variable->type->kind == TYPE_ARRAY && variable->type->is_described)
		return ACCESS_UNDETERMINED;
	return found(finding, variable->type, variable, offset);
}

static enum access_reason find_in_frame(struct finding *finding, int64_t offset)
{
	const struct convention *convention = finding->function->convention;
	const struct answer *answer = finding->answer;
	struct state state = { .slots[0].offset = 0 };
	struct frame_variable there;

	if (answer->has_stack_pointer)
		state.registers[convention->stack_pointer] =
			value_frame(answer->stack_pointer);
	if (answer->has_frame_pointer)
		state.registers[convention->frame_pointer] =
			value_frame(answer->frame_pointer);
	if (!frame_find(&there, finding->function, &state, answer->step->address,
			offset) ||
	    there.is_indirect)
		return ACCESS_UNDETERMINED;
	return found_variable(finding, there.variable,
			      (uint64_t)offset - (uint64_t)there.start);
}

static bool find_static(struct finding *finding, uint64_t address,
			enum access_reason *reason)
{
	const struct function *function = finding->function;
	uint64_t start;
	const struct variable *variable =
		statics_find(function->statics, function->types, address, &start);

	if (!variable)
		return false;
	*reason = variable->type ? found_variable(finding, variable, address - start)
				 : ACCESS_UNSPECIFIED;
	return true;
}

/* ---- by the event's address -------------------------------------------------------- */

/* Get the offset of the event's data from the frame address. The stack pointer may have
 * changed since, and nothing would tell. */
static bool frame_offset(int64_t *offset, const struct finding *finding)
{
	const struct access_event *event = finding->event;
	const struct answer *answer = finding->answer;
	int number = finding->function->convention->stack_pointer, base;
	int64_t start = answer->stack_pointer;

	if (!event->has_registers || !answer->has_stack_pointer)
		return false;
	base = answer->step->operand.base;
	if (answer->base.kind == VALUE_FRAME && tells(&answer->base, base) &&
	    knows_registers(finding)) {
		number = base;
		start = answer->base.offset;
	} else if (event->has_other_stack) {
		return false;
	}
	*offset = (int64_t)(event->address - event->registers[number] + (uint64_t)start);
	return *offset >= answer->stack_pointer && *offset < 0;
}

static bool find_by_address(struct finding *finding, enum access_reason *reason)
{
	const struct access_event *event = finding->event;
	int64_t offset;

	if (!event->has_address)
		return false;
	if (frame_offset(&offset, finding)) {
		*reason = find_in_frame(finding, offset);
		return true;
	}
	return find_static(finding,
			   event->address - event->pc + finding->answer->step->address,
			   reason);
}

/* ---- all --------------------------------------------------------------------------- */

static bool is_incomplete(const struct value *value)
{
	return value->kind == VALUE_POINTER && value->type->size == 0;
}

enum access_reason answer_find(struct data_place *out, const struct answer *answer,
			       const struct function *function,
			       const struct access_event *event)
{
	struct access_event exact = *event;
	struct finding finding = { out, answer, function, &exact };
	enum access_reason reason;

	if (knows_registers(
		    &finding)) /* a watchpoint's address may be any of the bytes */
		exact.address = computed_address(&finding);
	if (!function->variables.has_debug_data)
		return ACCESS_WITHOUT_DEBUG_DATA;
	if (find_by_pointer(&finding, &reason))
		return reason;
	if (answer->value.kind == VALUE_FRAME && !answer->value.is_open)
		return find_in_frame(&finding, answer->value.offset);
	if (answer->value.kind == VALUE_STATIC && !answer->value.is_open)
		return find_static(&finding, (uint64_t)answer->value.offset, &reason)
			       ? reason
			       : ACCESS_UNDETERMINED; /* a constant of the compiler */
	if (find_by_address(&finding, &reason))
		return reason;
	if (misses_registers(&finding))
		return ACCESS_REGISTERS;
	return is_incomplete(&answer->value) || is_incomplete(&answer->base)
		       ? ACCESS_UNSPECIFIED
		       : ACCESS_UNIDENTIFIED;
}
