/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/patch/patch.h"

#include <stdbool.h>
#include <stdint.h>

#include "collector/base/module.h"
#include "collector/base/system.h"
#include "collector/patch/records.h"
#include "collector/patch/scan.h"
#include "collector/patch/wrappers.h"
#include "collector/patch/write.h"

static bool is_applied;

/* Does the dynamic linker itself make these calls? It is bound before all others. */
static bool is_linker(const struct module *module)
{
	return module_find(module, "__tls_get_addr", NULL) != NULL;
}

/* ---- the wrappers, and what they call ---- */

struct place {
	bool is_program, is_far;
};

/* The program is the first module. */
#define FIRST_PLACE                                  \
	{                                            \
		.is_program = true, .is_far = false, \
	}

static void step(struct place *place, const struct module *module)
{
	place->is_program = false;
	place->is_far = place->is_far || module_is_libc(module);
}

static int collect(struct dl_phdr_info *info, size_t size, void *data)
{
	struct place *place = data;
	struct module module;

	if (!module_read(&module, info))
		return 0;
	if (place->is_far && wrappers_are_of(&module))
		wrappers_add(&module);
	step(place, &module);
	return 0;
}

static int bind(struct dl_phdr_info *info, size_t size, void *data)
{
	struct place *place = data;
	struct module module;

	if (!module_read(&module, info))
		return 0;
	if (!place->is_far || !wrappers_are_of(&module))
		wrappers_bind(&module, place->is_program ? WRAPPERS_PROGRAM
				       : place->is_far	 ? WRAPPERS_FAR
							 : WRAPPERS_UP_TO_LIBC);
	step(place, &module);
	return 0;
}

static void bind_all(void)
{
	struct place place = FIRST_PLACE;

	dl_iterate_phdr(bind, &place);
}

/* ---- one module ---- */

static void take(struct scan *scan, enum scan_finding finding, slot_value *slot,
		 uintptr_t value, const struct wrapper *wrapper)
{
	struct patched_module *patched = scan->data;

	if (finding == SCAN_BOUND)
		records_add(patched, slot, value, wrapper->ours);
	else
		patched->findings[finding]++;
}

/* Write the new records, and drop those that cannot be written. */
static void write_records(struct patched_module *patched, const struct module *module)
{
	struct writer writer;

	writer_begin(&writer, module);
	for (struct record *record = records_first(patched); record;
	     record = records_next(record)) {
		enum write_result result;

		if (record->is_written)
			continue;
		result = writer_exchange(&writer, record->slot, record->former,
					 record->ours);
		record->is_written = result == WRITE_DONE;
		if (result == WRITE_REFUSED)
			patched->refused++;
		if (result == WRITE_CHANGED || result == WRITE_EARLY)
			patched->findings[SCAN_UNBOUND]++;
	}
	writer_end(&writer);
	records_drop(patched, record_is_not_written, NULL);
}

/* A slot that the module does not have: it was closed, and the same file opened again. */
static bool is_not_ours(const struct record *record, const void *data)
{
	const struct module *module = data;

	return !module_holds(module, record->slot, sizeof(*record->slot)) ||
	       atomic_load(record->slot) != record->ours;
}

static bool is_done(const struct patched_module *patched, const struct module *module)
{
	if (!patched->is_scanned || patched->findings[SCAN_UNBOUND] > 0 ||
	    patched->findings[SCAN_UNSURE] > 0)
		return false;
	for (struct record *record = records_first(patched); record;
	     record = records_next(record))
		if (is_not_ours(record, module))
			return false;
	return true;
}

static void patch_module(struct patched_module *patched, const struct module *module,
			 bool is_far)
{
	struct scan scan = {
		.module = module, .is_global = !is_far, .take = take, .data = patched
	};

	patched->is_scanned = true;
	patched->is_skipped = is_linker(module) || wrappers_are_of(module);
	if (patched->is_skipped)
		return;
	records_drop(patched, is_not_ours, module);
	records_clear_findings(patched);
	scan_module(&scan);
	write_records(patched, module);
}

/* ---- all modules ---- */

static int patch(struct dl_phdr_info *info, size_t size, void *data)
{
	struct patched_module *patched = records_module(info->dlpi_addr, info->dlpi_name);
	struct module module = module_at(info);
	struct place *place = data;
	bool is_new = patched && !is_done(patched, &module);

	if (!is_new && place->is_far)
		return 0;
	if (!module_read(&module, info))
		return 0;
	if (is_new)
		patch_module(patched, &module, place->is_far);
	step(place, &module);
	return 0;
}

static struct patch_counts patch_all(void)
{
	struct place place = FIRST_PLACE;

	records_begin();
	dl_iterate_phdr(patch, &place);
	records_end();
	return records_counts();
}

static int count_changes(struct dl_phdr_info *info, size_t size, void *data)
{
	unsigned long long *changes = data;

	changes[0] = info->dlpi_adds;
	changes[1] = info->dlpi_subs;
	return 1;
}

/* Look for functions again, if modules have come or gone. */
static void bind_changes(bool is_first)
{
	static unsigned long long last[2];
	unsigned long long now[2] = { 0, 0 };

	dl_iterate_phdr(count_changes, now);
	if (is_first || now[0] != last[0] || now[1] != last[1]) {
		wrappers_unbind_far();
		bind_all();
	}
	last[0] = now[0];
	last[1] = now[1];
}

struct patch_counts patch_apply(void)
{
	struct place place = FIRST_PLACE;

	wrappers_clear();
	dl_iterate_phdr(collect, &place);
	bind_changes(true);
	is_applied = true;
	return patch_all();
}

struct patch_counts patch_refresh(void)
{
	if (!is_applied)
		return (struct patch_counts){ 0 };
	bind_changes(false);
	return patch_all();
}

/* ---- the end ---- */

static int undo(struct dl_phdr_info *info, size_t size, void *data)
{
	unsigned *left = data;
	struct patched_module *patched;
	struct module module;
	struct writer writer;

	if (!module_read(&module, info))
		return 0;
	patched = records_module(info->dlpi_addr, info->dlpi_name);
	if (!patched || !records_first(patched))
		return 0;
	writer_begin(&writer, &module);
	for (struct record *record = records_first(patched); record;
	     record = records_next(record))
		if (!is_not_ours(record, &module) &&
		    writer_exchange(&writer, record->slot, record->ours,
				    record->former) != WRITE_DONE)
			*left += 1;
	writer_end(&writer);
	return 0;
}

unsigned patch_undo(void)
{
	unsigned left = 0;

	if (!is_applied)
		return 0;
	is_applied = false;
	dl_iterate_phdr(undo, &left);
	records_release();
	return left;
}
