/* SPDX-License-Identifier: Apache-2.0 */
/* Single frames of a zstd stream. */
#ifndef LIBEXPT_STREAM_FRAME_H
#define LIBEXPT_STREAM_FRAME_H

#include <stddef.h>

/* One frame, bit by bit, into memory that has room for all of it. */
struct frame_decoder;

struct frame_decoder *frame_decoder_new(void); /* NULL: out of memory */
void frame_decoder_start(struct frame_decoder *decoder);
/* Take *size bytes of the frame, or fewer, then *size says how many, and add to the *done
 * bytes that plain holds. 1: that was the last of it, 0: there is more; -EBADMSG:
 * damaged, or plain is full. */
int frame_decoder_step(struct frame_decoder *decoder, unsigned char *plain,
		       size_t capacity, size_t *done, const unsigned char *bytes,
		       size_t *size);
void frame_decoder_free(struct frame_decoder *decoder);
/* A whole frame that says how long its content is, at most max bytes, as text with a NUL
 * added; the caller frees it. */
int frame_text(char **text, const unsigned char *bytes, size_t size, size_t max);

#endif
