/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary space in TMPDIR, or in /tmp if that is not set. */
#ifndef LIBEXPT_STAGE_SCRATCH_H
#define LIBEXPT_STAGE_SCRATCH_H

#include "libexpt/expt.h"

/* Returns a file without a name, which is gone when closed. */
int scratch_file(struct expt_error *err);

#define SCRATCH_NAME_SIZE 32

struct scratch {
	int dir, parent;
	char name[SCRATCH_NAME_SIZE]; /* in the parent */
	char path[4096];	      /* for code that does not accept descriptors */
};

/* clang-format off */
#define SCRATCH_INIT { .dir = -1, .parent = -1 }
/* clang-format on */
#define cleanup_scratch __attribute__((__cleanup__(scratch_remove)))

/* Make a new directory. It has a name, so an interrupted program must still call
 * scratch_remove(). */
int scratch_open(struct scratch *scratch, struct expt_error *err);
void scratch_remove(struct scratch *scratch);

#endif
