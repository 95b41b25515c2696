/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/kinds/data_access.h"

#include <string.h>

#include "libexpt/base/number.h"

/* ---- the record -------------------------------------------------------------------- */

static uint64_t value_of(const struct expt_record *record, enum expt_field field)
{
	int64_t value = 0;

	expt_record_value(record, field, &value);
	return (uint64_t)value;
}

static void take_registers(struct access_event *event, const struct expt_record *record)
{
	for (int i = 0; i < 16; i++) {
		event->registers[i] = value_of(record, (enum expt_field)(EXPT_REG0 + i));
		event->has_registers |= event->registers[i] != 0;
	}
}

static const char *attribute_of(const struct expt_profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->attribute_count; i++)
		if (strcmp(profile->attributes[i].name, name) == 0)
			return profile->attributes[i].value;
	return "";
}

/* Returns the memop of the record's counter. */
static uint64_t memop_of(const struct expt *expt, uint64_t tag)
{
	for (size_t i = 0; i < expt_profile_count(expt); i++) {
		const struct expt_profile *profile = expt_profile(expt, i);
		uint64_t number, memop;

		if (profile->data == EXPT_HWC &&
		    number_u64(&number, attribute_of(profile, "tag")) && number == tag)
			return number_u64(&memop, attribute_of(profile, "memop"))
				       ? memop
				       : EXPT_MEMOP_NONE;
	}
	return EXPT_MEMOP_NONE;
}

/* Returns where the thread was interrupted; 0: unknown. */
static uint64_t leaf_of(struct expt *expt, const struct expt_record *record)
{
	struct expt_stack stack;

	return record->stack != 0 && expt_stack(expt, record->stack, &stack, NULL) > 0 &&
			       stack.count > 0
		       ? stack.pcs[0]
		       : 0;
}

bool data_access_is_told(uint64_t memop)
{
	return memop != EXPT_MEMOP_NONE && memop != EXPT_MEMOP_COUNT_INSTRUCTION &&
	       memop != EXPT_MEMOP_NOT_OF_PROGRAM;
}

/* ---- the search -------------------------------------------------------------------- */

/* Counters that are not precise stop the program some instructions later. A recorder may
 * have gone back already, without knowing where jumps lead. */
static void set_search(struct access_event *event, struct expt *expt,
		       const struct expt_record *record, uint64_t memop)
{
	event->pc = value_of(record, EXPT_VIRTPC);
	event->interrupted = leaf_of(expt, record);
	if (memop == EXPT_MEMOP_PRECISE_NEXT) {
		event->search = ACCESS_NEXT;
		return;
	}
	if (memop == EXPT_MEMOP_PRECISE)
		return;
	event->kind = memop >= EXPT_MEMOP_LOAD && memop <= EXPT_MEMOP_EITHER
			      ? (unsigned)memop
			      : EXPT_MEMOP_EITHER;
	event->search = event->pc ? ACCESS_FROM : ACCESS_BACK;
	if (event->pc == 0)
		event->pc = event->interrupted;
}

static enum reason find(struct data_access *out, struct expt_view *view, size_t member,
			const struct expt_record *record)
{
	struct expt *expt = view->members.items[member].expt;
	uint64_t memop = memop_of(expt, value_of(record, EXPT_HWCTAG));
	struct access_event event = { .has_address = true };
	struct expt_place code;
	enum access_reason reason;
	int64_t address;

	if (!data_access_is_told(memop) ||
	    !expt_record_value(record, EXPT_VADDR, &address))
		return REASON_NOT_REQUESTED;
	if ((uint64_t)address < EXPT_ADDRESS_CODES)
		return reason_of_code((uint64_t)address);
	event.address = (uint64_t)address;
	set_search(&event, expt, record, memop);
	if (event.pc == 0) /* the kernel's */
		return REASON_WITHOUT_DEBUG_DATA;
	take_registers(&event, record);
	expt_place(expt, event.pc, record->time_ns, &code);
	reason = access_find(&out->place, view->accesses,
			     expt_function_object(code.function),
			     expt_function_offset(code.function) + code.offset, &event);
	out->is_found = reason == ACCESS_FOUND;
	return reason_of_access(reason);
}

bool data_access_find(struct data_access *out, struct expt_view *view, size_t member,
		      const struct expt_record *record)
{
	if (!view->accesses)
		view->accesses = accesses_open();
	if (!view->accesses)
		return false;
	out->is_found = false;
	out->reason = find(out, view, member, record);
	return true;
}
