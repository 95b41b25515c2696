/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/kinds/reasons.h"

const struct reason_name reason_names[REASONS] = {
	[REASON_NOT_REQUESTED] = { "(Dataspace data not requested during data "
				   "collection)",
				   NULL },
	[REASON_INSTRUCTION] = { "(Backtracking was prevented by a jump or call "
				 "instruction)",
				 NULL },
	[REASON_NOT_FOUND] = { "(Backtracking did not find trigger PC)", NULL },
	[REASON_REGISTERS] = { "(Could not determine VA because registers changed after "
			       "trigger instruction)",
			       NULL },
	[REASON_ADDRESS] = { "(Memory-referencing instruction did not specify a valid "
			     "VA)",
			     NULL },
	[REASON_WITHOUT_DEBUG_DATA] = { "(Module with trigger PC not compiled with "
					"-xhwcprof)",
					"(Unascertainable)" },
	[REASON_NOT_VERIFIED] = { "(Backtracking failed to find a valid branch target)",
				  "(Unverifiable)" },
	[REASON_BRANCH_TARGET] = { "(Backtracking traversed a branch target)",
				   "(Unresolvable)" },
	[REASON_UNIDENTIFIED] = { "(No identifying descriptor provided by the compiler)",
				  "(Unidentified)" },
	[REASON_UNSPECIFIED] = { "(No type information)", "(Unspecified)" },
	[REASON_UNDETERMINED] = { "(Not determined from the symbolic information "
				  "provided by the compiler)",
				  "(Undetermined)" },
	[REASON_OTHER] = { "(UNKNOWN)", NULL },
};

/* The low digit is the recorder's, the high one that of a reader that has stored it. */
enum reason reason_of_code(uint64_t address)
{
	static const enum reason recorded[] = {
		[0] = REASON_OTHER,	  [1] = REASON_NOT_REQUESTED,
		[2] = REASON_INSTRUCTION, [3] = REASON_NOT_FOUND,
		[4] = REASON_REGISTERS,	  [5] = REASON_ADDRESS,
	};

	switch (address & 0xf0) {
	case 0x10:
		return REASON_WITHOUT_DEBUG_DATA;
	case 0x20:
		return REASON_NOT_VERIFIED;
	case 0x30:
		return REASON_BRANCH_TARGET;
	default:
		break;
	}
	return address < sizeof(recorded) / sizeof(*recorded) ? recorded[address]
							      : REASON_OTHER;
}

enum reason reason_of_access(enum access_reason reason)
{
	switch (reason) {
	case ACCESS_WITHOUT_DEBUG_DATA:
		return REASON_WITHOUT_DEBUG_DATA;
	case ACCESS_UNIDENTIFIED:
		return REASON_UNIDENTIFIED;
	case ACCESS_UNSPECIFIED:
		return REASON_UNSPECIFIED;
	case ACCESS_UNDETERMINED:
		return REASON_UNDETERMINED;
	case ACCESS_ADDRESS:
		return REASON_ADDRESS;
	case ACCESS_REGISTERS:
		return REASON_REGISTERS;
	case ACCESS_NONE:
	case ACCESS_NOT_VERIFIED:
		return REASON_NOT_VERIFIED;
	case ACCESS_NOT_FOUND:
		return REASON_NOT_FOUND;
	case ACCESS_INSTRUCTION:
		return REASON_INSTRUCTION;
	case ACCESS_BRANCH_TARGET:
		return REASON_BRANCH_TARGET;
	default:
		return REASON_OTHER;
	}
}
