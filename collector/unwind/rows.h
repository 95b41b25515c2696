/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way from one address to its caller, as a row of 32 bits, and a lock-free table of
 * rows. An entry of the table is 8 bytes: the hash of an address is reversible, so its
 * upper bits (which select the place of the entry) and its lower bits (kept in it) are
 * the whole address. An entry is one atomic store: a reader sees all of it or none, and
 * two concurrent writers of one place merely cause a row to be made again.
 */
#ifndef COLLECTOR_UNWIND_ROWS_H
#define COLLECTOR_UNWIND_ROWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 *	bits 0-2	enum row_kind
 *	bits 3-7	where the caller's bp is saved: CFA - 8 - 8 * n; 0: unchanged
 *	bits 8-11	length of the call instruction that ends at address + 1
 *	bits 12-31	words to the CFA, or to where it is saved; for code without
 *			rules, its way out from way_out_pack()
 */
enum row_kind {
	ROW_NONE,
	ROW_SP,	      /* CFA = sp + offset */
	ROW_BP,	      /* CFA = bp + offset */
	ROW_SAVED_SP, /* CFA = [sp + offset] + 8: hand-written code that aligns its stack
		       */
	ROW_SAVED_BP, /* CFA = [bp - offset], bp = [bp]: compiled code that aligns its
			 stack */
	ROW_SIGNAL,   /* the kernel's frame is at sp */
	ROW_END,      /* no caller */
	ROW_OTHER,    /* rules that do not fit in a row */
	ROW_WITHOUT_RULES = ROW_OTHER | 1 << 3, /* distinguished by its bp slot */
	ROW_SWITCH = ROW_OTHER | 2 << 3,	/* the same; see is_stack_switch() */
};

#define ROW_BP_SLOTS	 31
#define ROW_OFFSET_LIMIT ((INT64_C(1) << 20) * 8)

static inline uint32_t row_make(enum row_kind kind, unsigned bp_slot, int64_t offset)
{
	return kind | bp_slot << 3 | (uint32_t)(offset / 8) << 12;
}

static inline enum row_kind row_kind(uint32_t row)
{
	return row & 7;
}

static inline unsigned row_bp_slot(uint32_t row)
{
	return row >> 3 & 31;
}

static inline bool row_is_without_rules(uint32_t row)
{
	return (row & 0xff) == ROW_WITHOUT_RULES;
}

static inline bool row_is_switch(uint32_t row)
{
	return (row & 0xff) == ROW_SWITCH;
}

static inline uint32_t row_without_rules(uint32_t way_out)
{
	return ROW_WITHOUT_RULES | way_out << 12;
}

static inline uint32_t row_way_out(uint32_t row)
{
	return row >> 12;
}

static inline unsigned row_call_length(uint32_t row)
{
	return row >> 8 & 15;
}

static inline uint64_t row_offset(uint32_t row)
{
	return (uint64_t)(row >> 12) * 8;
}

/*
 * Addresses of programs have 47 bits, and so has the hash, at the top of a word. Its
 * first 16 bits select the place of the entry; the alternative place differs in the last
 * of them. Its last 32 bits are kept in the entry. A walk waits for every operation
 * between reading a return address and getting its row, so there are only a
 * multiplication, a shift and a load.
 */
#define ROWS_ENTRIES   65536
#define ROWS_ADDRESSES ((UINT64_C(1) << 47) - 1)
#define ROWS_FACTOR \
	(UINT64_C(0x5851F42D4C957F2D) << 17) /* an arbitrary odd number, shifted */

typedef _Atomic uint64_t row_entry;

/* Can there be code at this address at all? */
static inline bool is_possible_code(uint64_t address)
{
	return address >= 4096 && address <= ROWS_ADDRESSES;
}

/* Hash address + 1: walks have the address after a call. */
static inline uint64_t rows_hash(uint64_t address)
{
	return (address + 1) * ROWS_FACTOR;
}

static inline size_t rows_place(uint64_t hash)
{
	return hash >> 48;
}

static inline uint32_t rows_kept(uint64_t hash)
{
	return (uint32_t)(hash >> 17);
}

/* Returns the row of an address, or ROW_NONE. */
static inline uint32_t rows_find(const row_entry *rows, uint64_t address)
{
	uint64_t hash = rows_hash(address);
	uint64_t entry =
		atomic_load_explicit(&rows[rows_place(hash)], memory_order_relaxed);

	if (rows_kept(hash) == entry >> 32)
		return (uint32_t)entry;
	entry = atomic_load_explicit(&rows[rows_place(hash) ^ 1], memory_order_relaxed);
	return rows_kept(hash) == entry >> 32 ? (uint32_t)entry : ROW_NONE;
}

row_entry *rows_open(void); /* NULL: out of memory */
void rows_add(row_entry *rows, uint64_t address, uint32_t row);
void rows_remove(row_entry *rows, uint64_t address);
void rows_clear(row_entry *rows);

#endif
