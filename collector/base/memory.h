/* SPDX-License-Identifier: Apache-2.0 */
/* The collector's own memory, never returned: zeroed, aligned to 16, allocated without a
 * lock. */
#ifndef COLLECTOR_BASE_MEMORY_H
#define COLLECTOR_BASE_MEMORY_H

#include <stddef.h>

/* NULL: out of memory. */
void *memory_get(size_t size);
/* Whole pages, which memory_return_pages() unmaps. */
void *memory_get_pages(size_t size);
void memory_return_pages(void *pages, size_t size);

/* A large static object. The Makefile sorts it after all small ones, which then share few
 * pages: a child of fork copies each page that it writes to. */
#define MEMORY_APART __attribute__((section(".bss.large")))

#endif
