/* SPDX-License-Identifier: Apache-2.0 */
/* The mapping of a growing file: windows of one size, one after the other. */
#ifndef COLLECTOR_FILES_WINDOWS_H
#define COLLECTOR_FILES_WINDOWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WINDOWS_MAX 131072
#define WINDOWS_NEAR \
	2 /* few processes fill more: a child of fork copies the pages it touches */

struct window {
	_Atomic(char *) start; /* NULL before it is made */
	_Atomic uint8_t full_blocks;
};

struct windows {
	size_t size; /* size of each window, a multiple of BLOCK_SIZE */
	struct window near[WINDOWS_NEAR];
	_Atomic(struct window *) far; /* the others, once there are any */
};

/* Returns the window at that index, or NULL if it has not been made. */
struct window *windows_at(const struct windows *windows, size_t index);
/* Returns the place for a window; NULL if memory, or room for windows, has run out. */
struct window *windows_place(struct windows *windows, size_t index);

/* Count a full block. The window is unmapped with its last block, so that a long
 * recording does not keep what it has written in the program's memory. */
void windows_count_full_block(struct windows *windows, size_t index);
/* Replace the file with anonymous memory, in all windows or in the one that contains the
 * address. The second returns the address's offset in the file, or SIZE_MAX if there is
 * no such window. */
void windows_let_go(const struct windows *windows);
size_t windows_let_go_at(const struct windows *windows, uintptr_t address);
/* Give back the memory of all windows, when no thread can store into one any more. */
void windows_unmap(struct windows *windows);
/* Call in a child of fork, which does not have the windows, and before another recording.
 */
void windows_forget(struct windows *windows);

#endif
