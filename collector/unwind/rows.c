/* SPDX-License-Identifier: Apache-2.0 */
/* The table of rows; lookup is in the header. */

#include "collector/unwind/rows.h"

#include "collector/base/system.h"

#include <sys/mman.h>

/* Pages are touched only as rows are added: a program that runs little code uses little
 * memory. */
row_entry *rows_open(void)
{
	return sys_mmap(ROWS_ENTRIES * sizeof(row_entry), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static bool is_free(const row_entry *entry)
{
	return atomic_load_explicit(entry, memory_order_relaxed) == 0;
}

/* If both places are taken, replace the entry in the first: the hash makes it an
 * arbitrary one of the two. */
void rows_add(row_entry *rows, uint64_t address, uint32_t row)
{
	uint64_t hash = rows_hash(address);
	size_t place = rows_place(hash);

	if (!is_free(&rows[place]) && is_free(&rows[place ^ 1]))
		place ^= 1;
	if (address <= ROWS_ADDRESSES)
		atomic_store_explicit(&rows[place], (uint64_t)rows_kept(hash) << 32 | row,
				      memory_order_relaxed);
}

void rows_remove(row_entry *rows, uint64_t address)
{
	uint64_t hash = rows_hash(address);

	for (size_t i = 0; i < 2; i++) {
		row_entry *entry = &rows[rows_place(hash) ^ i];

		if (atomic_load_explicit(entry, memory_order_relaxed) >> 32 ==
		    rows_kept(hash))
			atomic_store_explicit(entry, 0, memory_order_relaxed);
	}
}

void rows_clear(row_entry *rows)
{
	for (size_t i = 0; i < ROWS_ENTRIES; i++) {
		if (!is_free(&rows[i]))
			atomic_store_explicit(&rows[i], 0, memory_order_relaxed);
	}
}
