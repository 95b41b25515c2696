/* SPDX-License-Identifier: Apache-2.0 */
/* Removing, as expt_remove() and selections do it. */
#ifndef LIBEXPT_REMOVE_H
#define LIBEXPT_REMOVE_H

#include <sys/types.h>

#include "libexpt/expt.h"

/* What was looked at before. */
struct remove_identity {
	dev_t device;
	ino_t inode;
};

/* Remove the experiment that has the name in the directory parent; path is what messages call it.
 * With an identity only that one: -ENOENT if something else has the name now. */
int remove_at(int parent, const char *name, const char *path,
	      const struct remove_identity *wanted,
	      const struct expt_remove_options *options, struct expt_error *err);

#endif
