/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions without unwind data, such as those in assembly, release their frame before
 * they return: the instructions from an address on to the return show where the return
 * address is now.
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
	int32_t bp_offset; /* of the caller's bp, if it is saved: likewise */
	bool has_bp;
};

/* Find the way out of an object's code in [low, high). False: it is not clear. */
bool way_out_find(struct way_out *way, uintptr_t pc, uintptr_t low, uintptr_t high);

/* The same for code made at run time: only calls and the release of the frame may be
 * left. */
bool way_out_is_near(struct way_out *way, uintptr_t pc);

/* Returns 20 bits of a row. 0: there is no way out, or it does not fit. */
uint32_t way_out_pack(const struct way_out *way);
struct way_out way_out_unpack(uint32_t packed);

#endif
