/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file for somebody else, at a name he chose: it appears there whole, and durable, or
 * not at all. Made without a name where the file system can do that, else under a hidden
 * one beside it, which its maker keeps locked; what dead makers left is removed by the
 * next output of that name.
 */
#ifndef LIBEXPT_STAGE_OUTPUT_H
#define LIBEXPT_STAGE_OUTPUT_H

#include <stdbool.h>

#include "libexpt/expt.h"
#include "libexpt/rights/origin.h"

struct output {
	int parent, fd;
	char final[256],
		hidden[256]; /* names in parent; hidden is "" while there is none */
	char *path;	     /* as it was given, for messages */
};

/* clang-format off */
#define OUTPUT_INIT	{ .parent = -1, .fd = -1 }
/* clang-format on */
#define cleanup_output __attribute__((__cleanup__(output_release)))

/* -EEXIST: the name is taken, and not by a plain file that may be replaced. */
int output_open(struct output *output, const char *path, bool replace,
		struct expt_error *err);
/* What output_open() would say, changing nothing. */
int output_check(const char *path, bool replace, struct expt_error *err);
/* Give the file no readers but these, before anything is written: 1 if it would have had
 * more. */
int output_limit(struct output *output, const struct origin *readers,
		 struct expt_error *err);
int output_commit(struct output *output, bool replace, struct expt_error *err);
/* Close it; without a commit nothing is left. */
void output_release(struct output *output);

#endif
