/* SPDX-License-Identifier: Apache-2.0 */
/* The size of a tree. */
#ifndef LIBEXPT_TREE_MEASURE_H
#define LIBEXPT_TREE_MEASURE_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "libexpt/base/idmap.h"
#include "libexpt/expt.h"

struct tree_measure {
	uint64_t files;	    /* all except directories */
	uint64_t allocated; /* bytes on disk, including directories; each file once,
			       however many links it has */
	uint64_t added; /* part of allocated: files that no tree measured before has */
	struct timespec
		newest; /* modification of any file; of the directory, if it has none */
};

/* Files with several links in the trees of one owner, measured one after the other. */
struct tree_links {
	struct idmap trees; /* the last tree that contained a file, by owner and inode */
	uint32_t count;	    /* of trees */
};

void tree_links_release(struct tree_links *links);

/* Measure everything below the directory dir, and dir itself. Only trees of the same
 * owner share the bytes of linked files. */
int tree_measure(struct tree_measure *measure, int dir, struct tree_links *links,
		 uid_t owner, struct expt_error *err);

#endif
