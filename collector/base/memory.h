/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of our own, never given back: zeroed, aligned to 16, got without a lock. */
#ifndef COLLECTOR_MEMORY_H
#define COLLECTOR_MEMORY_H

#include <stddef.h>

/* NULL: there is none. */
void *memory_get(size_t size);
/* Whole pages of their own, which memory_return_pages() gives back. */
void *memory_get_pages(size_t size);
void memory_return_pages(void *pages, size_t size);

/* A large static object: it lies behind all small ones (the Makefile has them sorted),
 * which share few pages then. A child of fork copies each page that it writes to. */
#define MEMORY_APART __attribute__((section(".bss.large")))

#endif
