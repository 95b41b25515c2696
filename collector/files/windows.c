/* SPDX-License-Identifier: Apache-2.0 */
/* Runs in handlers: no locks, no libc. */

#include "collector/files/windows.h"

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/process/guard.h"
#include "libexpt/format.h"

#define UNMAPPED ((char *)1) /* replaces the address of a full window; not NULL */
#define FAR_SIZE ((WINDOWS_MAX - WINDOWS_NEAR) * sizeof(struct window))

static struct window *find_place(const struct windows *windows, size_t index)
{
	struct window *far;

	if (index < WINDOWS_NEAR)
		return (struct window *)&windows->near[index];
	far = atomic_load_explicit(&windows->far, memory_order_acquire);
	return far && index < WINDOWS_MAX ? &far[index - WINDOWS_NEAR] : NULL;
}

struct window *windows_at(const struct windows *windows, size_t index)
{
	struct window *window = find_place(windows, index);

	return window && atomic_load_explicit(&window->start, memory_order_acquire) !=
				       NULL
		       ? window
		       : NULL;
}

/* The table's pages are touched only as windows are made. */
struct window *windows_place(struct windows *windows, size_t index)
{
	struct window *place = find_place(windows, index), *fresh, *expected = NULL;

	if (place || index >= WINDOWS_MAX)
		return place;
	fresh = memory_get_pages(FAR_SIZE);
	if (fresh && !atomic_compare_exchange_strong(&windows->far, &expected, fresh))
		memory_return_pages(fresh, FAR_SIZE);
	return find_place(windows, index);
}

void windows_count_full_block(struct windows *windows, size_t index)
{
	struct window *window = windows_at(windows, index);
	char *start = window->start;

	if (atomic_fetch_add(&window->full_blocks, 1) + 1u !=
		    windows->size / BLOCK_SIZE ||
	    collector_is_frozen())
		return;
	atomic_store(&window->start, UNMAPPED);
	sys_munmap(start, windows->size);
}

static bool put_memory(char *start, size_t size)
{
	return system_call(SYS_mmap, (long)start, (long)size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
			   0) >= 0;
}

void windows_let_go(const struct windows *windows)
{
	const struct window *window;

	for (size_t i = 0; (window = windows_at(windows, i)) != NULL; i++)
		if (window->start != UNMAPPED)
			put_memory(window->start, windows->size);
}

size_t windows_let_go_at(const struct windows *windows, uintptr_t address)
{
	const struct window *window;

	for (size_t i = 0; (window = windows_at(windows, i)) != NULL; i++) {
		char *start = window->start;
		size_t offset = address - (uintptr_t)start;

		if (start != UNMAPPED && offset < windows->size)
			return put_memory(start, windows->size)
				       ? i * windows->size + offset
				       : SIZE_MAX;
	}
	return SIZE_MAX;
}

void windows_unmap(struct windows *windows)
{
	struct window *window;

	for (size_t i = 0; (window = windows_at(windows, i)) != NULL; i++) {
		char *start = atomic_exchange(&window->start, UNMAPPED);

		if (start != UNMAPPED)
			sys_munmap(start, windows->size);
	}
}

void windows_forget(struct windows *windows)
{
	struct window *far = windows->far;

	for (size_t i = 0; i < WINDOWS_NEAR; i++) {
		atomic_store(&windows->near[i].start, NULL);
		atomic_store(&windows->near[i].full_blocks, 0);
	}
	atomic_store(&windows->far, NULL);
	if (far)
		memory_return_pages(far, FAR_SIZE);
}
