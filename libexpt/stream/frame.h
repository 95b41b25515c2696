/* SPDX-License-Identifier: Apache-2.0 */
/* Single frames of a zstd stream. */
#ifndef LIBEXPT_STREAM_FRAME_H
#define LIBEXPT_STREAM_FRAME_H

#include <stddef.h>

/* Decompresses one frame bit by bit, into memory with room for all of it. */
struct frame_decoder;

struct frame_decoder *frame_decoder_new(void); /* NULL: out of memory */
void frame_decoder_start(struct frame_decoder *decoder);
/* Decompress up to *size bytes of the frame: *size becomes the bytes used, and *done, the
 * bytes in plain, grows. 1: the frame is complete; 0: there is more; -EBADMSG: damaged,
 * or plain is full. */
int frame_decoder_step(struct frame_decoder *decoder, unsigned char *plain,
		       size_t capacity, size_t *done, const unsigned char *bytes,
		       size_t *size);
void frame_decoder_free(struct frame_decoder *decoder);
/* Decompress a whole frame that declares its size, at most max bytes, to text with a NUL
 * added; the caller frees it. */
int frame_text(char **text, const unsigned char *bytes, size_t size, size_t max);

#endif
