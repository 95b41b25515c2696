/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file at a name that the user chose, which appears there whole and durable, or not at
 * all. It is made without a name where the file system can do that, otherwise under a
 * hidden one beside it, which its maker keeps locked. The next output of that name
 * removes what dead makers left.
 */
#ifndef LIBEXPT_STAGE_OUTPUT_H
#define LIBEXPT_STAGE_OUTPUT_H

#include <stdbool.h>

#include "libexpt/expt.h"
#include "libexpt/rights/origin.h"
#include "libexpt/stage/temporary.h"

struct output {
	struct temporary file; /* in a directory of its own; without a name if possible */
	char final[STAGE_NAME_SIZE];
	char *path; /* as given, for messages */
};

/* clang-format off */
#define OUTPUT_INIT	{ .file = TEMPORARY_INIT }
/* clang-format on */
#define cleanup_output __attribute__((__cleanup__(output_release)))

/* Begin an output. -EEXIST: the name is taken, and not by a plain file that may be
 * replaced. */
int output_open(struct output *output, const char *path, bool replace,
		struct expt_error *err);
/* Check whether output_open() would succeed, changing nothing. */
int output_check(const char *path, bool replace, struct expt_error *err);
/* Restrict the file to these readers before anything is written: 1 if it would have had
 * more. */
int output_limit(struct output *output, const struct origin *readers,
		 struct expt_error *err);
int output_commit(struct output *output, bool replace, struct expt_error *err);
/* Close the file; without a commit nothing is left. */
void output_release(struct output *output);

#endif
