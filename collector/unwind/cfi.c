/* SPDX-License-Identifier: Apache-2.0 */
/* Search of .eh_frame_hdr and .eh_frame for the entry of an address; see the Linux
 * Standard Base. */

#include "collector/unwind/cfi.h"

#include "collector/unwind/instructions.h"

#define SEARCH_LIMIT 65536 /* entries examined if there is no table */

bool cfi_section_init(struct cfi_section *section, uintptr_t header, uintptr_t low,
		      uintptr_t high)
{
	struct cursor cursor = { .at = header, .end = high };
	unsigned version, frames_encoding, count_encoding, table_encoding;
	uint64_t count;

	*section = (struct cfi_section){ .low = low, .high = high };
	if (header < low || header >= high)
		return false;
	version = read_u8(&cursor);
	frames_encoding = read_u8(&cursor);
	count_encoding = read_u8(&cursor);
	table_encoding = read_u8(&cursor);
	if (cursor.failed || version != 1 || !cfi_is_plain_encoding(frames_encoding))
		return false;
	section->frames = cfi_read_encoded(&cursor, frames_encoding);
	if (cursor.failed || section->frames < low || section->frames >= high)
		return false;
	section->header = section->base = header;
	if (count_encoding == ENCODING_OMITTED || table_encoding != ENCODING_TABLE)
		return true;
	count = cfi_read_encoded(&cursor, count_encoding);
	if (cursor.failed || count > (high - cursor.at) / 8)
		return true;
	section->table = cursor.at;
	section->count = (uint32_t)count;
	return true;
}

/* A part of the table: entries before low start at or before pc, those from high on after
 * it. */
struct span {
	uint32_t low, high;
};

static bool starts_behind(const struct cfi_section *section, uint32_t index, uintptr_t pc)
{
	uint32_t failed = 0;
	int32_t start = (int32_t)guarded_load32(section->table + 8ul * index, &failed);

	return start > (int64_t)(pc - section->base);
}

/* Search from an entry that is probably near, in growing steps until pc lies between
 * two. */
static struct span near(const struct cfi_section *section, uintptr_t pc, uint32_t index)
{
	struct span span = { .low = 0, .high = section->count };
	uint32_t step = 1;

	if (starts_behind(section, index, pc)) {
		for (span.high = index; step <= span.high; step *= 2) {
			if (!starts_behind(section, span.high - step, pc)) {
				span.low = span.high - step + 1;
				break;
			}
			span.high -= step;
		}
		return span;
	}
	for (span.low = index + 1; step < section->count - span.low; step *= 2) {
		if (starts_behind(section, span.low + step, pc)) {
			span.high = span.low + step;
			break;
		}
		span.low += step + 1;
	}
	return span;
}

/* Returns the last entry of the table that starts at or before pc; 0: none. */
static uintptr_t search_table(const struct cfi_section *section, uintptr_t pc,
			      uint32_t *hint)
{
	struct span span = { .low = 0, .high = section->count };
	uint32_t failed = 0, entry;

	if (*hint && *hint < section->count)
		span = near(section, pc, *hint);
	while (span.low < span.high) {
		uint32_t middle = span.low + (span.high - span.low) / 2;

		if (starts_behind(section, middle, pc))
			span.high = middle;
		else
			span.low = middle + 1;
	}
	if (span.low == 0)
		return 0;
	*hint = span.low - 1;
	entry = guarded_load32(section->table + 8ul * (span.low - 1) + 4, &failed);
	return failed ? 0 : section->header + (uintptr_t)(int32_t)entry;
}

static uintptr_t search_frames(const struct cfi_section *section, uintptr_t pc)
{
	uintptr_t at = section->frames;

	for (unsigned i = 0; i < SEARCH_LIMIT; i++) {
		struct cursor cursor = { .at = at, .end = section->high };
		struct cfi_entry entry;

		if (!cfi_enter(&cursor))
			return 0;
		if (cfi_read_entry(&entry, section, at) && pc - entry.start < entry.size)
			return at;
		at = cursor.end;
	}
	return 0;
}

enum cfi_result cfi_find(struct cfi_rules *rules, const struct cfi_section *section,
			 uintptr_t pc, uint32_t *hint)
{
	struct cfi_entry entry;
	uintptr_t at;

	if (!section->header)
		return CFI_NONE;
	at = section->table ? search_table(section, pc, hint)
			    : search_frames(section, pc);
	if (!at)
		return CFI_NONE;
	if (!cfi_read_entry(&entry, section, at))
		return CFI_DAMAGED;
	if (pc - entry.start >= entry.size)
		return CFI_NONE;
	*rules = (struct cfi_rules){
		.entry = at,
		.end = section->high,
		.start = entry.start,
		.size = entry.size,
		.is_signal_frame = entry.common.is_signal_frame,
	};
	return cfi_run_entry(rules, &entry, pc) ? CFI_FOUND : CFI_DAMAGED;
}
