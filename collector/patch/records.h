/* SPDX-License-Identifier: Apache-2.0 */
/* The slots that were patched, by module: what is put back at the end. */
#ifndef COLLECTOR_PATCH_RECORDS_H
#define COLLECTOR_PATCH_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/patch/patch.h"
#include "collector/patch/scan.h"
#include "collector/patch/write.h"

struct record {
	slot_value *slot;
	uintptr_t former, ours;
	uint32_t next; /* of the same module, counted from 1 */
	bool is_written;
};

/* A module is known by its base and name. */
struct patched_module {
	uintptr_t base;
	uint64_t name; /* its hash */
	uint32_t first;
	bool is_present, is_scanned;
	bool is_skipped; /* one of our own, or the dynamic linker */
	unsigned refused, findings[SCAN_FINDINGS];
};

/* Between these, records_module() is called for the modules that are there, best in the
 * same order each time; the others are forgotten. */
void records_begin(void);
void records_end(void);
/* NULL: no memory. The pointer is valid until the next call. */
struct patched_module *records_module(uintptr_t base, const char *name);
void records_clear_findings(struct patched_module *module);
struct patch_counts records_counts(void);

/* Pointers to records are valid until the next call of records_add(). */
void records_add(struct patched_module *module, slot_value *slot, uintptr_t former,
		 uintptr_t ours);
struct record *records_first(const struct patched_module *module);
struct record *records_next(const struct record *record);
/* Remove those for which the function returns true. */
void records_drop(struct patched_module *module,
		  bool (*is_unwanted)(const struct record *record, const void *data),
		  const void *data);
bool record_is_not_written(const struct record *record, const void *unused);

/* Forget everything, and return the memory. */
void records_release(void);

#endif
