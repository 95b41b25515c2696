/* SPDX-License-Identifier: Apache-2.0 */
/* The table of rows; reading is in the header. */

#include <collector/unwind/rows.h>

#include <sys/mman.h>

#define ENTRIES ((size_t)ROWS_PAIRS * 2)

/* Pages are touched as rows come; a program that runs little code costs little memory. */
row_entry *rows_open(void)
{
	void *memory = mmap(NULL, ENTRIES * sizeof(row_entry), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static bool is_free(const row_entry *entry)
{
	return atomic_load_explicit(entry, memory_order_relaxed) == 0;
}

/* Where both entries are taken, one tenant leaves, chosen by what looks like chance. */
void rows_add(row_entry *rows, uint64_t address, uint32_t row)
{
	uint64_t hash = rows_hash(address);
	row_entry *pair = &rows[(hash >> 32) * 2];
	unsigned which = is_free(&pair[0]) ? 0 : is_free(&pair[1]) ? 1 : hash & 1;

	if (address <= ROWS_ADDRESSES)
		atomic_store_explicit(&pair[which], hash << 32 | row, memory_order_relaxed);
}

void rows_remove(row_entry *rows, uint64_t address)
{
	uint64_t hash = rows_hash(address);
	row_entry *pair = &rows[(hash >> 32) * 2];

	for (unsigned i = 0; i < 2; i++) {
		if (atomic_load_explicit(&pair[i], memory_order_relaxed) >> 32 ==
		    (uint32_t)hash)
			atomic_store_explicit(&pair[i], 0, memory_order_relaxed);
	}
}

void rows_clear(row_entry *rows)
{
	for (size_t i = 0; i < ENTRIES; i++) {
		if (!is_free(&rows[i]))
			atomic_store_explicit(&rows[i], 0, memory_order_relaxed);
	}
}
