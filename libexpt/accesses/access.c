/* SPDX-License-Identifier: Apache-2.0 */
/* Objects and functions that were examined, and the answers for their accesses. */
#include "libexpt/accesses/access.h"

#include <stdlib.h>

#include "libexpt/accesses/answer.h"
#include "libexpt/accesses/backtrack.h"
#include "libexpt/base/array.h"
#include "libexpt/objects/debug.h"
#include "libexpt/objects/function.h"
#include "libexpt/types/open.h"

/* Longer functions are not examined: compilers make none. */
#define STEPS_MAX 400000

struct examined {
	const struct expt_function *row;
	struct function function;
	struct facts facts;
	struct answer *answers; /* of the steps that access memory, by address */
	size_t count;
};

struct examined_object {
	struct expt_object *object;
	struct object_debug *debug; /* NULL: there are none */
	struct types *types;
	struct statics statics;
	struct step_reader *reader;
	struct idmap by_start; /* functions: their image offset */
	struct {
		struct examined **items;
		size_t count, capacity;
	} functions;
};

struct accesses {
	struct {
		struct examined_object **items;
		size_t count, capacity;
	} objects;
	struct examined_object *last;
};

struct accesses *accesses_open(void)
{
	return calloc(1, sizeof(struct accesses));
}

/* ---- closing ----------------------------------------------------------------------- */

static void free_function(struct examined *examined)
{
	variables_release(&examined->function.variables);
	facts_release(&examined->facts);
	array_release(&examined->function.steps);
	free(examined->answers);
	free(examined);
}

static void free_object(struct examined_object *object)
{
	for (size_t i = 0; i < object->functions.count; i++)
		free_function(object->functions.items[i]);
	array_release(&object->functions);
	idmap_release(&object->by_start);
	statics_release(&object->statics);
	types_close(object->types);
	step_reader_close(object->reader);
	object_debug_close(object->debug);
	free(object);
}

void accesses_close(struct accesses *accesses)
{
	if (!accesses)
		return;
	for (size_t i = 0; i < accesses->objects.count; i++)
		free_object(accesses->objects.items[i]);
	array_release(&accesses->objects);
	free(accesses);
}

/* ---- objects ----------------------------------------------------------------------- */

static void open_object(struct examined_object *examined)
{
	unsigned machine;

	examined->debug = object_debug_open(examined->object);
	if (!examined->debug)
		return;
	machine = elf_machine(object_debug_elf(examined->debug));
	examined->types = types_open(object_debug_dwarf(examined->debug));
	if (!examined->types || step_reader_open(&examined->reader, machine, NULL) < 0)
		examined->reader = NULL;
}

static struct examined_object *examined_object(struct accesses *accesses,
					       struct expt_object *object)
{
	struct examined_object *examined = accesses->last, **slot;

	if (examined && examined->object == object)
		return examined;
	for (size_t i = 0; i < accesses->objects.count; i++)
		if (accesses->objects.items[i]->object == object)
			return accesses->last = accesses->objects.items[i];
	examined = calloc(1, sizeof(*examined));
	slot = examined ? array_add(&accesses->objects) : NULL;
	if (!slot) {
		free(examined);
		return NULL;
	}
	*slot = examined;
	examined->object = object;
	open_object(examined);
	return accesses->last = examined;
}

/* ---- functions --------------------------------------------------------------------- */

static bool read_steps(struct function *function, struct step_reader *reader,
		       const struct expt_code *code)
{
	size_t at = 0;

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

static void answer_all(struct examined *examined)
{
	struct visiting visiting = { .examined = examined };

	for (size_t i = 0; i < examined->function.steps.count; i++)
		visiting.capacity += examined->function.steps.items[i].is_access;
	examined->answers = calloc(visiting.capacity + 1, sizeof(*examined->answers));
	if (!examined->answers)
		return;
	if (!flow_run(&examined->function, visit, &visiting))
		examined->count = 0;
	qsort(examined->answers, examined->count, sizeof(*examined->answers),
	      compare_answers);
}

static void examine(struct examined *examined, struct examined_object *object)
{
	struct function *function = &examined->function;
	struct expt_code code;

	function->types = object->types;
	function->facts = &examined->facts;
	function->statics = &object->statics;
	function->convention = step_convention(object->reader);
	if (expt_function_code(examined->row, &code, NULL) < 0 ||
	    !variables_read(&function->variables, object->types, examined->row->start) ||
	    !read_steps(function, object->reader, &code))
		return;
	backtrack_mark(function);
	answer_all(examined);
}

/* Returns the examined function at an offset; NULL: out of memory. */
static struct examined *examined_function(struct examined_object *object, uint64_t offset)
{
	const struct expt_function *row = function_at(object->object, offset);
	uint32_t *slot = idmap_add(&object->by_start, row->start);
	struct examined *examined, **place;

	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return object->functions.items[*slot];
	examined = calloc(1, sizeof(*examined));
	place = examined ? array_add(&object->functions) : NULL;
	if (!place) {
		free(examined);
		return NULL;
	}
	*place = examined;
	*slot = (uint32_t)object->functions.count - 1;
	examined->row = row;
	examine(examined, object);
	return examined;
}

/* ---- answers ----------------------------------------------------------------------- */

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

static bool has_step(const struct function *function, uint64_t address)
{
	size_t step = steps_before(function, address);

	return step < function->steps.count &&
	       function->steps.items[step].address == address;
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

/* Check whether registers that the operand of a step uses change up to an address. */
static bool registers_change(const struct function *function, size_t step,
			     uint64_t address)
{
	const struct operand *operand = &function->steps.items[step].operand;
	uint32_t used = 0;

	if (operand->base >= 0)
		used |= UINT32_C(1) << operand->base;
	if (operand->index >= 0)
		used |= UINT32_C(1) << operand->index;
	for (; step < function->steps.count &&
	       function->steps.items[step].address < address;
	     step++)
		if (function->steps.items[step].written & used)
			return true;
	return false;
}

/* Find the address of the instruction, and move the event back to it. */
static enum access_reason find_instruction(uint64_t *address, struct access_event *event,
					   const struct function *function)
{
	bool is_next = event->search == ACCESS_NEXT;
	enum backtrack result;
	size_t step;

	if (event->search == ACCESS_AT)
		return ACCESS_FOUND;
	if (event->search == ACCESS_FROM)
		return reason_of(backtrack_verify(
			function, *address, *address + (event->interrupted - event->pc)));
	result = backtrack_find(&step, function, *address,
				is_next ? ACCESS_EITHER : (enum access_kind)event->kind,
				is_next ? 1 : REACH);
	if (result != BACKTRACK_FOUND)
		return reason_of(result);
	event->pc -= *address - function->steps.items[step].address;
	/* They are those after the instruction. */
	if (registers_change(function, step, *address))
		event->has_registers = false;
	*address = function->steps.items[step].address;
	return ACCESS_FOUND;
}

enum access_reason access_find(struct data_place *out, struct accesses *accesses,
			       struct expt_object *object, uint64_t offset,
			       const struct access_event *given)
{
	struct access_event event = *given;
	struct examined_object *whole;
	struct examined *examined;
	const struct answer *answer;
	enum access_reason reason;
	uint64_t address;

	whole = object->is_file ? examined_object(accesses, object) : NULL;
	if (!whole || !whole->debug || !whole->reader ||
	    !elf_image_address(object_debug_elf(whole->debug), offset, &address))
		return ACCESS_WITHOUT_DEBUG_DATA;
	examined = examined_function(whole, offset);
	if (!examined)
		return ACCESS_UNIDENTIFIED;
	reason = find_instruction(&address, &event, &examined->function);
	if (reason != ACCESS_FOUND)
		return reason;
	answer = find_answer(examined, address);
	if (answer)
		return answer_find(out, answer, &examined->function, &event);
	if (!examined->function.variables.has_debug_data)
		return ACCESS_WITHOUT_DEBUG_DATA;
	return examined->count > 0 && has_step(&examined->function, address)
		       ? ACCESS_NONE
		       : ACCESS_UNIDENTIFIED;
}
