/* SPDX-License-Identifier: Apache-2.0 */
/* The removal of an operand. */
#ifndef LIBEXPT_MANAGE_OPERAND_REMOVE_H
#define LIBEXPT_MANAGE_OPERAND_REMOVE_H

#include "libexpt/manage/operand.h"
#include "libexpt/tree/remove.h"

/* Whether the operand may be removed: it is no mount point, and we may change the
 * directory around it and all directories in it: -EPERM. Who found that out on the way
 * would have lost half of it. What else is in it was looked at when it was opened. */
int operand_check_removable(struct operand *operand, const char *path,
			    struct expt_error *err);
/* Make the operand disappear at once, and then remove it. patience may be NULL: see
 * tree_unlink(). */
int operand_remove(struct operand *operand, const char *path,
		   struct tree_patience *patience, struct expt_error *err);

#endif
