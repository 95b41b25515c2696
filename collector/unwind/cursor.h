/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers of unchecked unwind data: never outside [at, end), and safe even if the object
 * has just been unmapped. Reading on after a failure gives zeros.
 */
#ifndef COLLECTOR_UNWIND_CURSOR_H
#define COLLECTOR_UNWIND_CURSOR_H

#include "collector/unwind/x86_64.h"

struct cursor {
	uintptr_t at, end;
	uint32_t failed;
};

static inline __attribute__((always_inline)) bool cursor_has(struct cursor *cursor,
							     size_t size)
{
	if (!cursor->failed && cursor->end - cursor->at >= size)
		return true;
	cursor->failed = 1;
	return false;
}

static inline void cursor_skip(struct cursor *cursor, uint64_t size)
{
	if (cursor_has(cursor, size))
		cursor->at += size;
}

#define cursor_read_as(name, type, load)                                              \
	static inline __attribute__((always_inline)) type name(struct cursor *cursor) \
	{                                                                             \
		if (!cursor_has(cursor, sizeof(type)))                                \
			return 0;                                                     \
		cursor->at += sizeof(type);                                           \
		return (type)load(cursor->at - sizeof(type), &cursor->failed);        \
	}                                                                             \
	_Static_assert(sizeof(type), "takes the semicolon")

cursor_read_as(read_u8, uint8_t, guarded_load8);
cursor_read_as(read_u16, uint16_t, guarded_load16);
cursor_read_as(read_u32, uint32_t, guarded_load32);
cursor_read_as(read_u64, uint64_t, guarded_load64);

/* Read the groups of seven bits of a number; *width is the number of bits. Bits beyond
 * the 64th are dropped. */
static inline __attribute__((always_inline)) uint64_t read_groups(struct cursor *cursor,
								  unsigned *width)
{
	uint64_t value = 0;
	uint8_t byte;

	*width = 0;
	do {
		byte = read_u8(cursor);
		if (*width < 64)
			value |= (uint64_t)(byte & 0x7f) << *width;
		*width += 7;
	} while (byte & 0x80);
	return value;
}

static inline uint64_t read_uleb(struct cursor *cursor)
{
	unsigned width;

	return read_groups(cursor, &width);
}

static inline int64_t read_sleb(struct cursor *cursor)
{
	unsigned width;
	uint64_t value = read_groups(cursor, &width);

	if (width < 64 && value >> (width - 1))
		value |= ~UINT64_C(0) << width;
	return (int64_t)value;
}

#endif
