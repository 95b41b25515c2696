/* SPDX-License-Identifier: Apache-2.0 */
/* Where a growing file is mapped: in windows of one size, one after the other. */
#ifndef COLLECTOR_WINDOWS_H
#define COLLECTOR_WINDOWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WINDOWS_MAX 131072
#define WINDOWS_NEAR \
	2 /* few processes fill more: a child of fork copies what it touches */

struct window {
	_Atomic(char *) start; /* NULL: it has not been made */
	_Atomic uint8_t full_blocks;
};

struct windows {
	size_t size; /* of each, a multiple of BLOCK_SIZE */
	struct window near[WINDOWS_NEAR];
	_Atomic(struct window *) far; /* the others, when there are any */
};

/* The window that was made at that place, or NULL. */
struct window *windows_at(const struct windows *windows, size_t index);
/* The place for one. NULL: there is no memory, or no more are to be had. */
struct window *windows_place(struct windows *windows, size_t index);

/* A block of it is full. With the last one it is unmapped: what a long recording has
 * written takes none of the program's memory. */
void windows_count_full_block(struct windows *windows, size_t index);
/* Memory takes the place of the file in all of them, or in the one with the address: its
 * place in the file; SIZE_MAX: there is none. */
void windows_let_go(const struct windows *windows);
size_t windows_let_go_at(const struct windows *windows, uintptr_t address);
/* In a child of fork, which has none of them. */
void windows_forget(struct windows *windows);

#endif
