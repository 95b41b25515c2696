/* SPDX-License-Identifier: Apache-2.0 */
/* Copying for expt_copy() and expt_move(). */
#ifndef LIBEXPT_MANAGE_COPY_H
#define LIBEXPT_MANAGE_COPY_H

#include "libexpt/expt.h"
#include "libexpt/manage/operand.h"
#include "libexpt/tree/tree.h"

/* Copy the operand, which was opened by the path from, to the new experiment to. With
 * is_move nothing may change during the copy, which is read back and durable on
 * return. */
int copy_experiment(const struct operand *operand, const char *from, const char *to,
		    const struct expt_copy_options *options, bool is_move,
		    struct expt_error *err);

#endif
