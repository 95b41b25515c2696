/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing into the slots of one module. The pages that the dynamic linker has made
 * read-only are opened for the first slot in them, and closed again at the end.
 */
#ifndef COLLECTOR_PATCH_WRITE_H
#define COLLECTOR_PATCH_WRITE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/base/module.h"

typedef _Atomic(uintptr_t) slot_value;

enum write_result {
	WRITE_DONE,
	WRITE_CHANGED, /* the slot has another value than the expected one */
	WRITE_EARLY,   /* the dynamic linker is still working on the module */
	WRITE_REFUSED, /* the page is read-only, and stays so */
};

struct writer {
	uintptr_t closed, closed_end; /* PT_GNU_RELRO in whole pages */
	enum { WRITER_CLOSED, WRITER_OPEN, WRITER_EARLY, WRITER_REFUSED } state;
	uintptr_t page; /* is this page writable? */
	bool is_writable;
};

void writer_begin(struct writer *writer, const struct module *module);
/* Replace the expected value by another one. */
enum write_result writer_exchange(struct writer *writer, slot_value *slot,
				  uintptr_t expected, uintptr_t value);
void writer_end(struct writer *writer);

#endif
