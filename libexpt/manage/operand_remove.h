/* SPDX-License-Identifier: Apache-2.0 */
/* Removes an operand. */
#ifndef LIBEXPT_MANAGE_OPERAND_REMOVE_H
#define LIBEXPT_MANAGE_OPERAND_REMOVE_H

#include "libexpt/manage/operand.h"
#include "libexpt/tree/remove.h"

/* Check that the operand may be removed: it is not a mount point, and the caller may
 * change the directory around it and all directories in it, else -EPERM. Finding that out
 * during the removal would leave half of it. Its other contents were checked when it was
 * opened. */
int operand_check_removable(struct operand *operand, const char *path,
			    struct expt_error *err);
/* Make the operand disappear atomically, and then remove it. patience may be NULL: see
 * tree_unlink(). */
int operand_remove(struct operand *operand, const char *path,
		   struct tree_patience *patience, struct expt_error *err);

#endif
