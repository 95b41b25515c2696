/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to do at one address, in 32 bits, and a lock-free table of them. An entry of the
 * table is 8 bytes: the hash of an address is reversible, so its upper bits (which say
 * where the entry stands) and its lower bits (kept in it) are the whole address. An entry
 * is one atomic store: a reader sees all of it or none, and two writers of one place only
 * cost a row that is made again.
 */
#ifndef COLLECTOR_UNWIND_ROWS_H
#define COLLECTOR_UNWIND_ROWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 *	bits 0-2	enum row_kind
 *	bits 3-7	where the caller's bp is saved: CFA - 8 - 8 * n; 0: it is the same
 *	bits 8-11	length of the call instruction that ends at address + 1
 *	bits 12-31	offset to the CFA, or to where it is saved, in words; of code
 *without rules, its way out as way_out_pack() has it
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
	ROW_OTHER,    /* rules that ask for more than a row can say */
	ROW_WITHOUT_RULES = ROW_OTHER | 1 << 3, /* a bp slot makes the difference */
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
 * Programs' addresses have 47 bits, and so has the hash, at the top of a word: its first
 * 16 say where the entry stands, or with the last of them inverted, beside that; its last
 * 32 are kept in the entry. A walk waits for all that stands between the return address
 * that it has read and the row, so there are but a multiplication, a shift and a load.
 */
#define ROWS_ENTRIES   65536
#define ROWS_ADDRESSES ((UINT64_C(1) << 47) - 1)
#define ROWS_FACTOR \
	(UINT64_C(0x5851F42D4C957F2D) << 17) /* odd before that, of no other meaning */

typedef _Atomic uint64_t row_entry;

/* May code be there at all, of whatever origin? */
static inline bool is_possible_code(uint64_t address)
{
	return address >= 4096 && address <= ROWS_ADDRESSES;
}

/* What walks have is the address behind a call, and so the number that is hashed. */
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

/* The row of an address, or ROW_NONE. */
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

row_entry *unwind_rows(void); /* the table that is in use, or NULL */
row_entry *rows_open(void);   /* or NULL */
void rows_add(row_entry *rows, uint64_t address, uint32_t row);
void rows_remove(row_entry *rows, uint64_t address);
void rows_clear(row_entry *rows);

/*
 * make.c: the row at an address, which is pc itself where it was interrupted, and pc - 1
 * for a caller: the call may be the last instruction of its function. Rows of code
 * outside all objects are made at each visit: nobody tells when it changes. It is looked
 * at for the length of the call only, and where may_look says so.
 */
uint32_t rows_make(row_entry *rows, uintptr_t address, uintptr_t pc, bool may_look);

#endif
