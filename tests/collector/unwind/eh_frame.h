/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of unwind data for tests. They lie before a page that cannot be read, so that
 * a byte too many ends the test. */
#ifndef TESTS_COLLECTOR_UNWIND_EH_FRAME_H
#define TESTS_COLLECTOR_UNWIND_EH_FRAME_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/unwind/cfi.h"

#define MEMORY 65536
#define CODE   UINT64_C(0x400000) /* functions have absolute addresses here */

/* ---- building sections ---- */

struct image {
	uint8_t bytes[4096];
	size_t size;
};

static inline void add(struct image *image, const void *bytes, size_t size)
{
	assert_true(image->size + size <= sizeof(image->bytes));
	memcpy(image->bytes + image->size, bytes, size);
	image->size += size;
}

static inline void add_u8(struct image *image, unsigned value)
{
	uint8_t byte = (uint8_t)value;

	add(image, &byte, 1);
}

static inline void add_u32(struct image *image, uint32_t value)
{
	add(image, &value, 4);
}

static inline void add_u64(struct image *image, uint64_t value)
{
	add(image, &value, 8);
}

/* Instructions follow; end_entry() writes the length. */
static inline size_t begin_common(struct image *image, const char *augmentation)
{
	size_t at = image->size;

	add_u32(image, 0);
	add_u32(image, 0);
	add_u8(image, 1);
	add(image, augmentation, strlen(augmentation) + 1);
	add_u8(image, 1);    /* code alignment */
	add_u8(image, 0x78); /* data alignment -8 */
	add_u8(image, REGISTER_PC);
	if (*augmentation == 'z') {
		add_u8(image, 1);
		add_u8(image, 0); /* absolute addresses */
	}
	return at;
}

static inline void add_initial_rules(struct image *image)
{
	add(image, "\x0c\x07\x08\x90\x01",
	    5); /* CFA = sp + 8, return address at CFA - 8 */
}

static inline void end_entry(struct image *image, size_t at)
{
	uint32_t length;

	while ((image->size - at) % 8)
		add_u8(image, 0);
	length = (uint32_t)(image->size - at - 4);
	memcpy(image->bytes + at, &length, 4);
}

static inline size_t begin_function(struct image *image, size_t common, uint64_t start,
				    uint64_t size)
{
	size_t at = image->size;

	add_u32(image, 0);
	add_u32(image, (uint32_t)(image->size - common));
	add_u64(image, start);
	add_u64(image, size);
	add_u8(image, 0);
	return at;
}

/* Builds one function with these instructions, after a header without a table. */
static inline void build(struct image *image, const void *instructions, size_t size)
{
	size_t at;

	image->size = 0;
	add(image, "\x01\x1b\xff\xff", 4);
	add_u32(image, 4); /* relative to its own position */
	at = begin_common(image, "zR");
	add_initial_rules(image);
	end_entry(image, at);
	at = begin_function(image, at, CODE, 0x100);
	add(image, instructions, size);
	end_entry(image, at);
	add_u32(image, 0);
}

/* ---- asking ---- */

static uint8_t *memory;

static inline int set_up(void **state)
{
	memory = mmap(NULL, MEMORY + 4096, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED || mprotect(memory + MEMORY, 4096, PROT_NONE) != 0;
}

static inline int tear_down(void **state)
{
	return munmap(memory, MEMORY + 4096);
}

static inline bool place(struct cfi_section *section, const struct image *image,
			 size_t size)
{
	uintptr_t low = (uintptr_t)memory + MEMORY - size;

	memcpy((void *)low, image->bytes, size);
	return cfi_section_init(section, low, low, low + size);
}

static inline enum cfi_result ask(struct cfi_rules *rules, const struct image *image,
				  uint64_t pc)
{
	struct cfi_section section;
	uint32_t hint = 0;

	assert_true(place(&section, image, image->size));
	return cfi_find(rules, &section, pc, &hint);
}

static inline enum cfi_result ask_for(struct cfi_rules *rules, const void *instructions,
				      size_t size, uint64_t pc)
{
	struct image image;

	build(&image, instructions, size);
	return ask(rules, &image, pc);
}

/* push rbp; mov rsp, rbp; ...; leave; ret */

#endif
