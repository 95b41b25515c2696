/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that no unwind data describe, such as those in assembly, give back their
 * frame before they return: the instructions from an address on to the return tell where
 * the return address lies now.
 */
#ifndef COLLECTOR_UNWIND_WAY_OUT_H
#define COLLECTOR_UNWIND_WAY_OUT_H

#include <stdbool.h>
#include <stdint.h>

enum way_out_base { WAY_OUT_NONE, WAY_OUT_SP, WAY_OUT_BP, WAY_OUT_SAVED_SP };

struct way_out {
	enum way_out_base base;
	int32_t slot;	   /* of a saved sp: from sp */
	int32_t offset;	   /* of the return address: from the base */
	int32_t bp_offset; /* of the caller's bp, if it is not the same: as far */
	bool has_bp;
};

/* In [low, high), which an object's code is. False: it is not clear. */
bool way_out_find(struct way_out *way, uintptr_t pc, uintptr_t low, uintptr_t high);

/* The same of code that has been made at run time: nothing else than giving back the
 * frame may be left to do, and a call that may come before it. */
bool way_out_is_near(struct way_out *way, uintptr_t pc);

/* 20 bits of a row. 0: there is none, or it cannot be said in so many. */
uint32_t way_out_pack(const struct way_out *way);
struct way_out way_out_unpack(uint32_t packed);

#endif
