/* SPDX-License-Identifier: Apache-2.0 */
/* Code mapped into an image, to tell return addresses from other words on a stack. */
#ifndef COLLECTOR_OUTSIDE_CODE_H
#define COLLECTOR_OUTSIDE_CODE_H

#include <stdint.h>

#include "collector/common/map_text.h"
#include "collector/outside/object.h"

struct code {
	struct map_segment segment;
	struct object_file file;
	const char *bytes; /* of the file; NULL: not mapped here yet */
	bool is_unreadable;
};

/* Call once, before code_call_before(). */
void code_init(void);
void code_release(struct code *code);
/* Returns the address of the call that returns to that address in the segment, or the
 * address itself if it is the root of a stack; 0: it is neither. */
uint64_t code_call_before(struct code *code, uint64_t return_address);

#endif
