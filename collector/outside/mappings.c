/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/mappings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#define VDSO "[vdso]"

/* Returns the number of mappings that begin before the address. */
static size_t count_before(const struct mappings *mappings, uint64_t address)
{
	size_t low = 0, high = mappings->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (mappings->items[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool make_room(struct mappings *mappings)
{
	size_t room = 2 * mappings->room + 16;
	struct mapping *grown;

	if (mappings->count < mappings->room)
		return true;
	grown = realloc(mappings->items, room * sizeof(*grown));
	if (!grown)
		return false;
	mappings->items = grown;
	mappings->room = room;
	return true;
}

static uint64_t end_of(const struct mapping *mapping)
{
	return mapping->address + mapping->size;
}

/* A mapping that is replaced in part is dropped as a whole, as readers do. */
static void drop(struct mappings *mappings, uint64_t address, uint64_t end)
{
	size_t kept = 0;

	for (size_t i = 0; i < mappings->count; i++)
		if (mappings->items[i].address >= end ||
		    end_of(&mappings->items[i]) <= address)
			mappings->items[kept++] = mappings->items[i];
	mappings->count = kept;
}

void mappings_drop(struct mappings *mappings, uint64_t address, uint64_t size)
{
	drop(mappings, address, address + size);
}

void mappings_add(struct mappings *mappings, const struct mapping *mapping)
{
	size_t at;

	drop(mappings, mapping->address, end_of(mapping));
	if (!make_room(mappings))
		return;
	at = count_before(mappings, mapping->address);
	memmove(&mappings->items[at + 1], &mappings->items[at],
		(mappings->count - at) * sizeof(*mappings->items));
	mappings->items[at] = *mapping;
	mappings->count++;
}

/* Names without a file are those of memory. */
static struct binary *binary_of(const struct object_file *file, const char *name)
{
	if (strcmp(name, VDSO) == 0)
		return binary_of_vdso();
	return name[0] == '/' && name[1] != '/' ? binary_get(file, name) : NULL;
}

const struct mapping *mappings_take(struct mappings *mappings,
				    const struct perf_record *record)
{
	const struct object_file file = { (pid_t)record->pid, record->device,
					  record->inode, record->address, record->size };
	struct mapping mapping = { record->address, record->size, record->file_offset,
				   binary_of(&file, record->name) };

	mappings_add(mappings, &mapping);
	return mapping.binary ? mappings_find(mappings, mapping.address) : NULL;
}

void mappings_read(struct mappings *mappings, pid_t pid)
{
	char path[64], *line = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	file = fopen(path, "re");
	while (file && getline(&line, &room, file) > 0) {
		unsigned long low, high, offset, inode;
		unsigned major, minor;
		int at = 0;
		char modes[5];
		struct object_file object = { .pid = pid };
		struct mapping mapping;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &low, &high, modes,
			   &offset, &major, &minor, &inode, &at) != 7 ||
		    modes[2] != 'x')
			continue;
		object.device = makedev(major, minor);
		object.inode = inode;
		object.address = low;
		object.size = high - low;
		mapping = (struct mapping){ low, high - low, offset,
					    binary_of(&object, line + at) };
		mappings_add(mappings, &mapping);
	}
	free(line);
	if (file)
		fclose(file);
}

void mappings_copy(struct mappings *mappings, const struct mappings *from)
{
	mappings_clear(mappings);
	if (from->count == 0)
		return;
	mappings->items = malloc(from->count * sizeof(*mappings->items));
	if (!mappings->items)
		return;
	memcpy(mappings->items, from->items, from->count * sizeof(*mappings->items));
	mappings->count = mappings->room = from->count;
}

void mappings_clear(struct mappings *mappings)
{
	free(mappings->items);
	*mappings = (struct mappings){ 0 };
}

const struct mapping *mappings_find(const struct mappings *mappings, uint64_t address)
{
	size_t before = count_before(mappings, address + 1);
	const struct mapping *mapping = mappings->items + before - 1;

	return before > 0 && address - mapping->address < mapping->size ? mapping : NULL;
}
