/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last two frames of a bundle that is read from a pipe, its index and its seek table.
 * They are kept as they pass: only the end of the stream shows whether they are the ones
 * that a reader of the file would use.
 */
#ifndef LIBEXPT_STREAM_SEEK_TAIL_H
#define LIBEXPT_STREAM_SEEK_TAIL_H

#include <stddef.h>
#include <stdint.h>

#include "libexpt/expt.h"

struct seek_tail {
	unsigned char *index; /* its whole frame, or NULL */
	size_t index_size;
	uint64_t end;	     /* end of the kept frames in the compressed stream */
	uint64_t plain_size; /* of the stream, by the table; 0: not read yet */
};

/* Returns the size of the frame that begins at place with these SKIPPABLE_HEAD bytes if
 * seek_tail_add_frame() must get it, else 0. -EBADMSG: too long for any bundle. */
int64_t seek_tail_frame_size(const struct seek_tail *tail, const unsigned char *head,
			     uint64_t place);
/* Take over the frame, which was allocated with malloc(3). */
void seek_tail_add_frame(struct seek_tail *tail, unsigned char *frame, size_t size,
			 uint64_t place);
/* Get the text of the index of a stream that ended at place end, at most max bytes, NUL
 * added; the caller frees it. 1 and *plain_size, or 0: there is none. -EBADMSG:
 * damaged. */
int seek_tail_index(char **text, uint64_t *plain_size, const struct seek_tail *tail,
		    uint64_t end, size_t max, struct expt_error *err);
void seek_tail_release(struct seek_tail *tail);

/* Get the text of an index from its frame, which seekable.c reads from the file. 1, or 0:
 * it is not an index. */
int seek_index_text(char **text, const unsigned char *frame, size_t size, size_t max,
		    struct expt_error *err);

#endif
