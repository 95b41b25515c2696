/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/io.h"

/* Parse "START-END rwxp OFFSET MAJOR:MINOR INODE    NAME". */
static bool add_line(struct maps *maps, char *line)
{
	struct mapping *mapping = array_add(maps);
	unsigned major, minor;
	char rights[5];
	int name = 0;

	if (!mapping ||
	    sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &mapping->start, &mapping->end, rights, &mapping->offset, &major,
		   &minor, &mapping->inode, &name) < 7)
		return false;
	line[strcspn(line, "\n")] = '\0';
	mapping->is_writable = rights[1] == 'w';
	mapping->is_accessible = rights[0] == 'r';
	mapping->is_executable = rights[2] == 'x';
	mapping->device = makedev(major, minor);
	mapping->name = strdup(line + name);
	return mapping->name;
}

int maps_read(struct maps *maps, pid_t process)
{
	char path[32], *line = NULL;
	bool is_whole = true;
	size_t size = 0;
	FILE *file;

	*maps = (struct maps)MAPS_INIT;
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)process);
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT ? -ESRCH : -errno;
	while (is_whole && getline(&line, &size, file) > 0)
		is_whole = add_line(maps, line);
	free(line);
	fclose(file);
	return is_whole ? 0 : -ENOMEM;
}

void maps_release(struct maps *maps)
{
	for (size_t i = 0; i < maps->count; i++)
		free(maps->items[i].name);
	array_release(maps);
}

const struct mapping *maps_find(const struct maps *maps, uint64_t address)
{
	for (size_t i = 0; i < maps->count; i++)
		if (address >= maps->items[i].start && address < maps->items[i].end)
			return &maps->items[i];
	return NULL;
}

bool maps_has(const struct maps *maps, const char *name)
{
	for (size_t i = 0; i < maps->count; i++)
		if (strcmp(maps->items[i].name, name) == 0)
			return true;
	return false;
}

/* Whether code of the file follows. */
static bool is_library(const struct maps *maps, size_t first)
{
	const struct mapping *file = &maps->items[first];

	for (size_t i = first; i < maps->count; i++) {
		const struct mapping *part = &maps->items[i];

		if (i > first && (part->start != part[-1].end ||
				  (part->name[0] && part->inode != file->inode)))
			return false;
		if (part->is_executable && part->inode == file->inode)
			return true;
	}
	return false;
}

static const struct mapping *find_file(const struct maps *maps, size_t from,
				       const char *beginning, const char *end)
{
	for (size_t i = from; i < maps->count; i++) {
		const char *name = strrchr(maps->items[i].name, '/');
		size_t length = name ? strlen(++name) : 0;

		if (name && length >= strlen(end) && maps->items[i].offset == 0 &&
		    strncmp(name, beginning, strlen(beginning)) == 0 &&
		    strcmp(name + length - strlen(end), end) == 0 && is_library(maps, i))
			return &maps->items[i];
	}
	return NULL;
}

const struct mapping *maps_find_file(const struct maps *maps, const char *beginning,
				     const char *end)
{
	return find_file(maps, 0, beginning, end);
}

const struct mapping *maps_find_next_file(const struct maps *maps,
					  const struct mapping *library,
					  const char *beginning, const char *end)
{
	return find_file(maps, (size_t)(library - maps->items) + 1, beginning, end);
}

int memory_open(pid_t process)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)process);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	return fd;
}

bool memory_read(int memory, uint64_t address, void *bytes, size_t size)
{
	return io_pread_full(memory, bytes, size, (off_t)address) == (ssize_t)size;
}

bool memory_write(int memory, uint64_t address, const void *bytes, size_t size)
{
	return io_pwrite_all(memory, bytes, size, (off_t)address) == 0;
}

bool memory_read_text(int memory, uint64_t address, char *text, size_t size)
{
	ssize_t got = pread(memory, text, size - 1, (off_t)address);

	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}
