/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/examined.h"

#include <stdlib.h>

#include "libexpt/accesses/answer.h"
#include "libexpt/accesses/backtrack.h"
#include "libexpt/accesses/frame.h"
#include "libexpt/base/array.h"

/* Longer functions are not examined: compilers make none. */
#define STEPS_MAX 400000
#define STEP_SIZE 15 /* of the longest instruction, in bytes */

struct examined {
	struct function function;
	struct facts facts;
	struct answer *answers; /* of the steps that access memory, by address */
	size_t count;
};

/* ---- steps ------------------------------------------------------------------------- */

static bool read_steps(struct function *function, struct step_reader *reader,
		       const struct expt_code *code)
{
	size_t at = 0;

	if (code->size > (size_t)STEPS_MAX * STEP_SIZE)
		return false;
	while (at < code->size && function->steps.count < STEPS_MAX) {
		struct step *step = array_add(&function->steps);

		if (!step)
			return false;
		if (!step_read(step, reader, code->bytes + at, code->size - at,
			       code->address + at)) {
			step->kind = STEP_RETURN;
			step->written = UINT32_MAX;
		}
		at += step->size;
	}
	return at >= code->size;
}

static bool has_step(const struct function *function, uint64_t address)
{
	size_t step = steps_before(function, address);

	return step < function->steps.count &&
	       function->steps.items[step].address == address;
}

/* ---- answers ----------------------------------------------------------------------- */

struct visiting {
	struct examined *examined;
	size_t capacity;
};

static void visit(void *context, size_t index, const struct state *state)
{
	struct visiting *visiting = context;
	struct examined *examined = visiting->examined;
	const struct step *step = &examined->function.steps.items[index];

	if (step->is_access && examined->count < visiting->capacity)
		answer_make(&examined->answers[examined->count++], &examined->function,
			    state, step);
}

static int compare_answers(const void *one, const void *other)
{
	const struct answer *a = one, *b = other;

	return (a->step->address > b->step->address) -
	       (a->step->address < b->step->address);
}

static bool answer_all(struct examined *examined)
{
	struct visiting visiting = { .examined = examined };

	for (size_t i = 0; i < examined->function.steps.count; i++)
		visiting.capacity += examined->function.steps.items[i].is_access;
	frame_contents_make(&examined->function.contents, &examined->function);
	examined->answers = calloc(visiting.capacity + 1, sizeof(*examined->answers));
	if (!examined->answers || !flow_run(&examined->function, visit, &visiting))
		return false;
	qsort(examined->answers, examined->count, sizeof(*examined->answers),
	      compare_answers);
	return true;
}

/* A function that was given up takes no more memory. */
static void give_up(struct examined *examined)
{
	facts_release(&examined->facts);
	array_release(&examined->function.steps);
	free(examined->answers);
	examined->answers = NULL;
	examined->count = 0;
}

static const struct answer *find_answer(const struct examined *examined, uint64_t address)
{
	size_t low = 0, high = examined->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (examined->answers[middle].step->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < examined->count && examined->answers[low].step->address == address
		       ? &examined->answers[low]
		       : NULL;
}

/* ---- the instruction --------------------------------------------------------------- */

/* Instructions to go back at most: processors are late by some. */
#define REACH 16

static enum access_reason reason_of(enum backtrack backtrack)
{
	switch (backtrack) {
	case BACKTRACK_FOUND:
		return ACCESS_FOUND;
	case BACKTRACK_INSTRUCTION:
		return ACCESS_INSTRUCTION;
	case BACKTRACK_BRANCH_TARGET:
		return ACCESS_BRANCH_TARGET;
	case BACKTRACK_NOT_VERIFIED:
		return ACCESS_NOT_VERIFIED;
	default:
		return ACCESS_NOT_FOUND;
	}
}

/* Returns the registers, by bits, that may change from one address to another one. */
static uint32_t written_between(const struct function *function, uint64_t from,
				uint64_t to)
{
	uint32_t written = 0;

	if (from == to)
		return 0;
	if (to - from > REACH * STEP_SIZE ||
	    backtrack_verify(function, from, to) != BACKTRACK_FOUND)
		return UINT32_MAX;
	for (size_t step = steps_before(function, from);
	     function->steps.items[step].address < to; step++)
		written |= function->steps.items[step].written;
	return written;
}

static uint32_t bit_of(int number)
{
	return number >= 0 ? UINT32_C(1) << number : 0;
}

/* Whatever recorded the registers knows them at the instruction's end, at the latest
 * where it has stopped the program. */
static void judge_registers(struct access_event *event, const struct function *function,
			    uint64_t address, uint64_t end)
{
	size_t step = steps_before(function, address);
	uint64_t stopped = address + (event->interrupted - event->pc);

	if (step < function->steps.count) {
		const struct operand *operand = &function->steps.items[step].operand;
		uint32_t used = bit_of(operand->base) | bit_of(operand->index);

		event->has_other_operands =
			(written_between(function, address, end) & used) != 0;
	}
	event->has_other_stack = (written_between(function, address, stopped) &
				  bit_of(function->convention->stack_pointer)) != 0;
}

/* Find the address of the instruction, and move the event back to it. */
static enum access_reason find_instruction(uint64_t *address, struct access_event *event,
					   const struct function *function)
{
	uint64_t end = *address;
	enum backtrack result = BACKTRACK_FOUND;
	size_t step;

	if (event->search == ACCESS_FROM) {
		end += event->interrupted - event->pc;
		result = backtrack_verify(function, *address, end);
	}
	if (event->search == ACCESS_AT || event->search == ACCESS_FROM) {
		judge_registers(event, function, *address, end);
		return reason_of(result);
	}
	result = event->search == ACCESS_NEXT
			 ? backtrack_last(&step, function, *address)
			 : backtrack_find(&step, function, *address,
					  (enum access_kind)event->kind, REACH);
	if (result != BACKTRACK_FOUND)
		return reason_of(result);
	*address = function->steps.items[step].address;
	event->pc -= end - *address;
	judge_registers(event, function, *address, end);
	return ACCESS_FOUND;
}

/* ---- public ------------------------------------------------------------------------ */

struct examined *examined_new(const struct examined_source *source, uint64_t start,
			      const struct expt_code *code)
{
	struct examined *examined = calloc(1, sizeof(*examined));
	struct function *function;

	if (!examined)
		return NULL;
	function = &examined->function;
	function->types = source->types;
	function->statics = source->statics;
	function->facts = &examined->facts;
	function->convention = step_convention(source->reader);
	if (code && !(variables_read(&function->variables, source->types, start) &&
		      read_steps(function, source->reader, code) && answer_all(examined)))
		give_up(examined);
	backtrack_mark(function);
	return examined;
}

void examined_free(struct examined *examined)
{
	if (!examined)
		return;
	give_up(examined);
	variables_release(&examined->function.variables);
	free(examined);
}

size_t examined_size(const struct examined *examined)
{
	return examined->function.steps.capacity * sizeof(struct step) +
	       examined->count * sizeof(*examined->answers);
}

enum access_reason examined_find(struct data_place *out, const struct examined *examined,
				 uint64_t address, const struct access_event *given)
{
	struct access_event event = *given;
	const struct function *function = &examined->function;
	const struct answer *answer;
	enum access_reason reason;

	if (event.has_address && event.address >= function->convention->address_end)
		return ACCESS_ADDRESS;
	reason = find_instruction(&address, &event, function);
	if (reason != ACCESS_FOUND)
		return reason;
	answer = find_answer(examined, address);
	if (answer)
		return answer_find(out, answer, function, &event);
	if (!function->variables.has_debug_data)
		return ACCESS_WITHOUT_DEBUG_DATA;
	return examined->count > 0 && has_step(function, address) ? ACCESS_NONE
								  : ACCESS_UNIDENTIFIED;
}
