/* SPDX-License-Identifier: Apache-2.0 */
/* The machine code of functions, and its instructions. */
/* clang-format off */
#ifndef LIBEXPT_API_CODE_H
#define LIBEXPT_API_CODE_H

#include "libexpt/api/objects.h"

EXPT_DECLARATIONS_BEGIN

enum expt_instruction_kind {
	EXPT_INSTRUCTION_OTHER, EXPT_INSTRUCTION_BAD,	/* no instruction */
	EXPT_INSTRUCTION_CALL, EXPT_INSTRUCTION_RETURN,
	EXPT_INSTRUCTION_JUMP, EXPT_INSTRUCTION_BRANCH,	/* without and with a condition */
};

EXPT_DECLARATIONS_END

#endif
