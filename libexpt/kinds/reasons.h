/* SPDX-License-Identifier: Apache-2.0 */
/* Why the data object of an event is not known. */
#ifndef LIBEXPT_KINDS_REASONS_H
#define LIBEXPT_KINDS_REASONS_H

#include <stdint.h>

#include "libexpt/accesses/access.h"

enum reason {
	REASON_NOT_REQUESTED,
	REASON_INSTRUCTION,
	REASON_NOT_FOUND,
	REASON_REGISTERS,
	REASON_ADDRESS,
	REASON_WITHOUT_DEBUG_DATA,
	REASON_NOT_VERIFIED,
	REASON_BRANCH_TARGET,
	REASON_UNIDENTIFIED,
	REASON_UNSPECIFIED,
	REASON_UNDETERMINED,
	REASON_OTHER,
	REASONS,
};

/* The names of the rows: those of Sun's analyzer. */
extern const struct reason_name {
	const char *name, *short_word; /* "(Unidentified)", or NULL */
} reason_names[REASONS];

/* Returns the reason that a code in place of an address gives. */
enum reason reason_of_code(uint64_t address);
/* Returns the reason why an access was not found. */
enum reason reason_of_access(enum access_reason reason);

#endif
