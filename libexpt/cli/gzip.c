/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks are compressed by several threads, each without what precedes it, so that the
 * bytes are the same for any number of threads. */
#include "libexpt/cli/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "libexpt/common/pipeline.h"

#define MEMORY_LEVEL 8 /* zlib's default */
#define BLOCK	     ((size_t)256 << 10)
#define BLOCKS	     8 /* in memory */

struct block {
	z_stream stream;
	size_t length;
	bool is_open, is_last;
	size_t packed_length;
	unsigned char bytes[BLOCK];
	unsigned char packed[BLOCK + BLOCK / 64]; /* more than deflateBound() says */
};

struct gzip {
	FILE *out;
	struct pipeline *pipeline;
	struct block *blocks, *current;
	uLong sum;
	uint32_t length; /* of all bytes, as far as it fits */
};

static void compress_block(void *job)
{
	struct block *block = job;
	z_stream *stream = &block->stream;

	stream->next_in = block->bytes;
	stream->avail_in = (unsigned)block->length;
	stream->next_out = block->packed;
	stream->avail_out = sizeof(block->packed);
	deflate(stream, block->is_last ? Z_FINISH : Z_SYNC_FLUSH);
	block->packed_length = sizeof(block->packed) - stream->avail_out;
	deflateReset(stream);
}

/* ---- the file ---- */

static void write_head(FILE *out)
{
	static const unsigned char head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };

	fwrite(head, 1, sizeof(head), out);
}

static void write_word(FILE *out, uint32_t word)
{
	for (int i = 0; i < 4; i++)
		putc((int)(word >> 8 * i & 255), out);
}

/* Write the oldest block, when it is done. false: there is none. */
static bool write_block(struct gzip *gzip)
{
	const struct block *block = pipeline_take_done(gzip->pipeline, true);

	if (!block)
		return false;
	fwrite(block->packed, 1, block->packed_length, gzip->out);
	pipeline_recycle(gzip->pipeline);
	return true;
}

static struct block *take_block(struct gzip *gzip)
{
	struct block *block;

	while ((block = pipeline_take_free(gzip->pipeline)) == NULL)
		write_block(gzip);
	block->length = 0;
	return block;
}

/* ---- all of it ---- */

static void release(struct gzip *gzip)
{
	pipeline_close(gzip->pipeline);
	for (size_t i = 0; gzip->blocks && i < BLOCKS; i++)
		if (gzip->blocks[i].is_open)
			deflateEnd(&gzip->blocks[i].stream);
	free(gzip->blocks);
	free(gzip);
}

static bool open_blocks(struct gzip *gzip)
{
	gzip->blocks = calloc(BLOCKS, sizeof(*gzip->blocks));
	for (size_t i = 0; gzip->blocks && i < BLOCKS; i++) {
		struct block *block = &gzip->blocks[i];

		block->is_open = deflateInit2(&block->stream, Z_DEFAULT_COMPRESSION,
					      Z_DEFLATED, -MAX_WBITS, MEMORY_LEVEL,
					      Z_DEFAULT_STRATEGY) == Z_OK;
		if (!block->is_open)
			return false;
	}
	return gzip->blocks;
}

struct gzip *gzip_open(FILE *out)
{
	struct gzip *gzip = calloc(1, sizeof(*gzip));

	if (!gzip)
		return NULL;
	gzip->out = out;
	if (!open_blocks(gzip) ||
	    pipeline_open(&gzip->pipeline, pipeline_threads(0), gzip->blocks, BLOCKS,
			  sizeof(*gzip->blocks), compress_block) < 0) {
		release(gzip);
		return NULL;
	}
	write_head(out);
	gzip->current = take_block(gzip);
	return gzip;
}

void gzip_write(struct gzip *gzip, const void *bytes, size_t length)
{
	const unsigned char *next = bytes;

	while (length > 0) {
		struct block *block = gzip->current;
		size_t room = BLOCK - block->length;
		size_t size = length < room ? length : room;

		memcpy(block->bytes + block->length, next, size);
		gzip->sum = crc32(gzip->sum, next, (unsigned)size);
		gzip->length += (uint32_t)size;
		block->length += size;
		next += size;
		length -= size;
		if (block->length == BLOCK) {
			pipeline_submit(gzip->pipeline);
			gzip->current = take_block(gzip);
		}
	}
}

void gzip_close(struct gzip *gzip)
{
	gzip->current->is_last = true;
	pipeline_submit(gzip->pipeline);
	while (write_block(gzip))
		;
	write_word(gzip->out, (uint32_t)gzip->sum);
	write_word(gzip->out, gzip->length);
	release(gzip);
}
