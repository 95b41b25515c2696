/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last two frames of a bundle that comes through a pipe, its index and its seek
 * table, kept as they pass: whether they are what a reader of the file would go by, only
 * the end of the stream tells.
 */
#ifndef LIBEXPT_STREAM_SEEK_TAIL_H
#define LIBEXPT_STREAM_SEEK_TAIL_H

#include <stddef.h>
#include <stdint.h>

#include "libexpt/expt.h"

struct seek_tail {
	unsigned char *index; /* its whole frame, or NULL */
	size_t index_size;
	uint64_t end;	     /* of what is kept, in the compressed stream */
	uint64_t plain_size; /* of the stream, by the table; 0: that has not come */
};

/* How long the frame that begins at place with these SKIPPABLE_HEAD bytes is, if
 * seek_tail_take() is to have it, else 0. -EBADMSG: no bundle has one so long. */
int64_t seek_tail_wants(const struct seek_tail *tail, const unsigned char *head,
			uint64_t place);
/* Takes the frame over, which was allocated. */
void seek_tail_take(struct seek_tail *tail, unsigned char *frame, size_t size,
		    uint64_t place);
/* The text of the index of a stream that ended at place end, at most max bytes, NUL
 * added; the caller frees it. 1 and *plain_size, or 0 if there is none. -EBADMSG:
 * damaged. */
int seek_tail_index(char **text, uint64_t *plain_size, const struct seek_tail *tail,
		    uint64_t end, size_t max, struct expt_error *err);
void seek_tail_release(struct seek_tail *tail);

/* The text of an index from its frame, which seekable.c has from the file. 1, or 0 if it
 * is none. */
int seek_index_text(char **text, const unsigned char *frame, size_t size, size_t max,
		    struct expt_error *err);

#endif
