/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of another process: what is mapped, and its bytes through /proc/PID/mem. */
#ifndef COLLECTOR_INJECT_MAPS_H
#define COLLECTOR_INJECT_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct mapping {
	uint64_t start, end, offset;
	bool is_writable, is_accessible, is_executable;
	dev_t device;
	uint64_t inode;
	char *name; /* of the file, or "[stack]", or "" */
};

struct maps {
	struct mapping *items;
	size_t count, capacity;
};

#define MAPS_INIT          \
	{                  \
		.items = 0 \
	}

/* Returns 0 or a negative errno; maps are to be released in any case. */
int maps_read(struct maps *maps, pid_t process);
void maps_release(struct maps *maps);
#define cleanup_maps __attribute__((__cleanup__(maps_release)))
/* Returns the mapping of this address, or NULL. */
const struct mapping *maps_find(const struct maps *maps, uint64_t address);
/* Returns the first mapping of a library whose name, without directories, begins and ends
 * so; NULL if there is none. A file that is only read is none. */
const struct mapping *maps_find_file(const struct maps *maps, const char *beginning,
				     const char *end);
/* Returns the next such after this one. */
const struct mapping *maps_find_next_file(const struct maps *maps,
					  const struct mapping *library,
					  const char *beginning, const char *end);

/* Returns true if there is one of that whole name, such as "[vdso]". */
bool maps_has(const struct maps *maps, const char *name);

/* Returns a descriptor for memory_read() and memory_write(), or a negative errno. It
 * stays that of the program which the process executes now. */
int memory_open(pid_t process);
/* Both return true if all bytes could be transferred. Protection does not matter. */
bool memory_read(int memory, uint64_t address, void *bytes, size_t size);
bool memory_write(int memory, uint64_t address, const void *bytes, size_t size);
/* Read a text that ends with a zero byte, or is cut to the size, or where memory
 * ends. */
bool memory_read_text(int memory, uint64_t address, char *text, size_t size);

#endif
