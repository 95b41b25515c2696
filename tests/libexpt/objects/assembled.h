/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that tests assemble, and the names of their functions. */
#ifndef TESTS_LIBEXPT_OBJECTS_ASSEMBLED_H
#define TESTS_LIBEXPT_OBJECTS_ASSEMBLED_H

#include "libexpt/objects/symbols.h"

#include <stdio.h>

#include "tests/libexpt/compile.h"

#define LIBRARY	       "cc -shared -nostdlib"
#define FUNCTION(name) ".globl " name "\n.type " name ",@function\n" name ":\n"
#define LOCAL(name)    ".type " name ",@function\n" name ":\n"
#define SIZE(name, n)  ".size " name "," #n "\n"

struct object {
	struct elf *elf;
	struct symbol_table table;
	struct demangler demangler;
	struct arena arena;
};

static inline void read_object(struct object *object, const char *path)
{
	struct expt_error err;

	*object = (struct object){ .elf = open_elf(path) };
	if (symbol_table_read(&object->table, object->elf, NULL, path, NULL, &err) < 0)
		fail_msg("%s", err.message);
}

static inline void assemble(struct object *object, const char *text)
{
	compile("object", LIBRARY, "s", text);
	read_object(object, "object");
}

static inline void release(struct object *object)
{
	symbol_table_release(&object->table);
	elf_close(object->elf);
	demangler_release(&object->demangler);
	arena_release(&object->arena);
}

/* Returns the start of the text section, where the first function of these tests is. */
static inline uint64_t text_start(const struct object *object)
{
	uint64_t offset, size;

	assert_true(elf_section(object->elf, ".text", &offset, &size));
	return offset;
}

/* Returns the name of the function at a place of .text; "-" and the start for gaps. */
static inline const char *name_at(struct object *object, uint64_t place)
{
	static char gap[32];
	uint64_t start = text_start(object);
	struct symbol_range range;
	struct symbol_name name;

	symbol_find(&object->table, start + place, &range);
	assert_true(range.start <= start + place && start + place < range.end);
	if (range.count == 0) {
		snprintf(gap, sizeof(gap), "-%lld", (long long)(range.start - start));
		return gap;
	}
	symbol_choose(&name, &object->table, &range, &object->demangler, &object->arena);
	return name.long_form;
}

#endif
