/* SPDX-License-Identifier: Apache-2.0 */
#include "truth.h"

#include <stdio.h>
#include <stdlib.h>

static struct truth_tables tables;

__attribute__((noinline, noclone)) void truth_begin_with(const struct truth_tables *at);

static void copy(char *to, const char *from)
{
	if (from && strlen(from) >= TRUTH_NAME) {
		fprintf(stderr, "truth: '%s' is too long\n", from);
		abort();
	}
	strcpy(to, from ? from : "");
}

void truth_object(const void *pointer, size_t size, const char *variable,
		  const char *type)
{
	struct truth_object *object = tables.objects;
	struct truth_object *end = object + tables.object_count;

	while (object < end && object->size)
		object++;
	if (object == tables.objects + TRUTH_OBJECTS || size == 0)
		abort();
	if (object == end)
		tables.object_count++;
	object->address = (uintptr_t)pointer;
	object->size = size;
	copy(object->variable, variable);
	copy(object->type, type);
}

void truth_block(const void *pointer, size_t size, const char *type)
{
	truth_object(pointer, size, "", type);
}

static struct truth_member *add_member(const char *owner, const char *name, size_t offset,
				       size_t size)
{
	struct truth_member *member = &tables.members[tables.member_count++];

	if (member == tables.members + TRUTH_MEMBERS)
		abort();
	member->offset = offset;
	member->size = size;
	copy(member->owner, owner);
	copy(member->name, name);
	return member;
}

void truth_type(const char *type, size_t size)
{
	add_member(type, "", 0, size);
}

void truth_member(const char *owner, const char *name, size_t offset, size_t size,
		  const char *type)
{
	copy(add_member(owner, name, offset, size)->type, type);
}

void truth_bits(const char *owner, const char *name, size_t offset, size_t size)
{
	add_member(owner, name, offset, size)->is_bits = 1;
}

void truth_forget(const void *pointer)
{
	for (size_t i = 0; i < tables.object_count; i++) {
		struct truth_object *object = &tables.objects[i];

		if (object->size && object->address == (uintptr_t)pointer) {
			object->size = 0;
			return;
		}
	}
	abort(); /* The program forgets what it did not tell. */
}

void truth_complete(void)
{
	tables.is_complete = 1;
}

void truth_begin(void)
{
	truth_begin_with(&tables);
}

/* The harness stops here, and finds the tables in the first register. */
void truth_begin_with(const struct truth_tables *at)
{
	__asm__ volatile("" ::"r"(at));
}

void truth_end(void)
{
}
