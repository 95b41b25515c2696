/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of .eh_frame, from the search for one to the result of its instructions. */
#ifndef COLLECTOR_UNWIND_ENTRY_H
#define COLLECTOR_UNWIND_ENTRY_H

#include "collector/unwind/cfi.h"
#include "collector/unwind/cursor.h"

enum {
	ENCODING_ABSOLUTE = 0x00,
	ENCODING_ULEB = 0x01,
	ENCODING_U16 = 0x02,
	ENCODING_U32 = 0x03,
	ENCODING_U64 = 0x04,
	ENCODING_SLEB = 0x09,
	ENCODING_S16 = 0x0a,
	ENCODING_S32 = 0x0b,
	ENCODING_S64 = 0x0c,
	ENCODING_FORM = 0x0f,
	ENCODING_PC_RELATIVE = 0x10,
	ENCODING_BASE = 0x70,
	ENCODING_INDIRECT = 0x80,
	ENCODING_OMITTED = 0xff,

	ENCODING_TABLE = 0x30 |
			 ENCODING_S32, /* relative to the header: the only one in use */
};

uint64_t cfi_read_encoded(struct cursor *cursor, unsigned encoding);
/* Is the encoding neither indirect nor relative to an unsupported base? */
bool cfi_is_plain_encoding(unsigned encoding);

/* The contents of a common information entry. */
struct cfi_common {
	struct cursor instructions;
	uint64_t code_align;
	int64_t data_align;
	unsigned encoding;
	bool is_signal_frame, has_augmentation;
};

/* A function's entry: the code it covers, and its instructions. */
struct cfi_entry {
	uintptr_t start, size;
	struct cfi_common common;
	struct cursor instructions;
};

/* Move the cursor past the length and end it where the entry ends. */
bool cfi_enter(struct cursor *cursor);
bool cfi_read_entry(struct cfi_entry *entry, const struct cfi_section *section,
		    uintptr_t at);

#endif
