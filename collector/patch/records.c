/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/patch/records.h"

#include <string.h>

#include "collector/base/memory.h"

/* An array that grows, in pages of its own. */
struct list {
	char *items;
	uint32_t count, room;
};

static struct {
	struct list modules, records;
	uint32_t unused; /* records, counted from 1 */
	uint32_t cursor; /* the module after the one found last */
	unsigned lost;
} state;

#define ROOM_AT_FIRST 512

static bool grow(struct list *list, size_t size)
{
	uint32_t room = list->room > 0 ? 2 * list->room : ROOM_AT_FIRST;
	char *items;

	if (list->count < list->room)
		return true;
	items = memory_get_pages(room * size);
	if (!items)
		return false;
	if (list->items) {
		memcpy(items, list->items, list->count * size);
		memory_return_pages(list->items, list->room * size);
	}
	list->items = items;
	list->room = room;
	return true;
}

static struct patched_module *patched_at(uint32_t i)
{
	return (struct patched_module *)(void *)state.modules.items + i;
}

static struct record *record_at(uint32_t number)
{
	struct record *all = (void *)state.records.items;

	return number > 0 ? &all[number - 1] : NULL;
}

/* ---- modules ---- */

static uint64_t hash_of(const char *name)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * UINT64_C(1099511628211);
	return hash;
}

void records_begin(void)
{
	for (uint32_t i = 0; i < state.modules.count; i++)
		patched_at(i)->is_present = false;
	state.cursor = 0;
}

void records_end(void)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < state.modules.count; i++) {
		struct patched_module *module = patched_at(i);

		if (module->is_present)
			*patched_at(kept++) = *module;
		else
			records_drop(module, NULL, NULL);
	}
	state.modules.count = kept;
}

/* The search begins where the last one ended. */
struct patched_module *records_module(uintptr_t base, const char *name)
{
	uint64_t hash = hash_of(name);
	uint32_t count = state.modules.count;
	struct patched_module *module;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = (state.cursor + i) % count;

		module = patched_at(at);
		if (module->base != base || module->name != hash)
			continue;
		state.cursor = at + 1;
		module->is_present = true;
		return module;
	}
	if (!grow(&state.modules, sizeof(*module)))
		return NULL;
	module = patched_at(state.modules.count++);
	*module =
		(struct patched_module){ .base = base, .name = hash, .is_present = true };
	return module;
}

void records_clear_findings(struct patched_module *module)
{
	memset(module->findings, 0, sizeof(module->findings));
	module->refused = 0;
}

struct patch_counts records_counts(void)
{
	struct patch_counts counts = { .lost = state.lost };

	for (uint32_t i = 0; i < state.modules.count; i++) {
		const struct patched_module *module = patched_at(i);

		for (struct record *record = records_first(module); record;
		     record = records_next(record))
			counts.patched++;
		counts.elsewhere += module->findings[SCAN_ELSEWHERE];
		counts.kept += module->findings[SCAN_KEPT];
		counts.unsure += module->findings[SCAN_UNSURE];
		counts.refused += module->refused;
	}
	return counts;
}

/* ---- records ---- */

static uint32_t get_unused(void)
{
	uint32_t number = state.unused;

	if (number > 0) {
		state.unused = record_at(number)->next;
		return number;
	}
	if (!grow(&state.records, sizeof(struct record)))
		return 0;
	return ++state.records.count;
}

void records_add(struct patched_module *module, slot_value *slot, uintptr_t former,
		 uintptr_t ours)
{
	uint32_t number = get_unused();

	if (number == 0) {
		state.lost++;
		return;
	}
	*record_at(number) = (struct record){
		.slot = slot, .former = former, .ours = ours, .next = module->first
	};
	module->first = number;
}

struct record *records_first(const struct patched_module *module)
{
	return record_at(module->first);
}

struct record *records_next(const struct record *record)
{
	return record_at(record->next);
}

void records_drop(struct patched_module *module,
		  bool (*is_unwanted)(const struct record *record, const void *data),
		  const void *data)
{
	uint32_t *link = &module->first;

	while (*link > 0) {
		uint32_t number = *link;
		struct record *record = record_at(number);

		if (is_unwanted && !is_unwanted(record, data)) {
			link = &record->next;
			continue;
		}
		*link = record->next;
		record->next = state.unused;
		state.unused = number;
	}
}

bool record_is_not_written(const struct record *record, const void *unused)
{
	return !record->is_written;
}

void records_release(void)
{
	if (state.modules.items)
		memory_return_pages(state.modules.items,
				    state.modules.room * sizeof(struct patched_module));
	if (state.records.items)
		memory_return_pages(state.records.items,
				    state.records.room * sizeof(struct record));
	memset(&state, 0, sizeof(state));
}
