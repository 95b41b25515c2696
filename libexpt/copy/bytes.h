/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies the bytes of one file, or of a part of it, in the cheapest way that both file
 * systems support, with a checksum if the copy will be read back. Holes stay holes.
 */
#ifndef LIBEXPT_COPY_BYTES_H
#define LIBEXPT_COPY_BYTES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/common/hash.h"
#include "libexpt/expt.h"

#define TRANSFER_BUFFER_SIZE (1 << 20)

/* The options, and the capabilities of a pair of file systems, shared by all threads. */
struct transfer_means {
	bool needs_hash;	  /* the copy will be read back */
	bool finds_holes;	  /* do not write blocks of zeros */
	const volatile int *stop; /* not NULL and not 0: end with -EINTR */
	struct expt_progress *progress;
	atomic_bool cannot_clone; /* FICLONE was refused, or is not wanted */
	atomic_bool cannot_copy;  /* copy_file_range, which may share blocks as well */
};

struct transfer_range {
	uint64_t offset, length;
};

/* A part of a file, and the result of copying it. */
struct transfer_part {
	uint64_t offset, length; /* the part */
	bool has_holes;		 /* look for them */
	uint64_t copied;	 /* holes included; less than length if it ended early */
	bool is_shared;		 /* cloned: the same blocks on the disk */
	struct {
		struct transfer_range *items;
		size_t count, capacity;
	} data; /* ranges that are not holes; only if has_holes */
	unsigned char digest[HASH_SIZE]; /* of the data; only if needs_hash */
};

/* Share the blocks of all of from with to. Returns false if the file system cannot. */
bool transfer_clone(struct transfer_means *means, int from, int to);
/* Copy a part; buffer has TRANSFER_BUFFER_SIZE bytes. A source that ends early is not a
 * failure. */
int transfer_copy(struct transfer_means *means, struct transfer_part *part, int from,
		  int to, void *buffer);
/* Read the part of the copy again. Returns 1 if it is what was copied, 0 if not. */
int transfer_verify(struct transfer_means *means, const struct transfer_part *part,
		    int copy, void *buffer);
void transfer_release(struct transfer_part *part);

#endif
