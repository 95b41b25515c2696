/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/gzip.h"

#include <stdlib.h>
#include <zlib.h>

#define GZIP_WINDOW  (MAX_WBITS + 16) /* the largest one, with the header of gzip */
#define MEMORY_LEVEL 8		      /* zlib's default */

struct gzip {
	z_stream stream;
	FILE *out;
	unsigned char packed[65536];
};

struct gzip *gzip_open(FILE *out)
{
	struct gzip *gzip = calloc(1, sizeof(*gzip));

	if (!gzip)
		return NULL;
	gzip->out = out;
	if (deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
			 MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK)
		return gzip;
	free(gzip);
	return NULL;
}

/* Compress the input, and write what is ready; at the end, all of it. */
static void pump(struct gzip *gzip, int flush)
{
	z_stream *stream = &gzip->stream;

	do {
		stream->next_out = gzip->packed;
		stream->avail_out = sizeof(gzip->packed);
		deflate(stream, flush);
		fwrite(gzip->packed, 1, sizeof(gzip->packed) - stream->avail_out,
		       gzip->out);
	} while (stream->avail_out == 0);
}

void gzip_write(struct gzip *gzip, const void *bytes, size_t length)
{
	const unsigned char *next = bytes;

	while (length > 0) {
		size_t size = length < 1 << 30 ? length : 1 << 30;

		gzip->stream.next_in = (unsigned char *)next;
		gzip->stream.avail_in = (unsigned)size;
		pump(gzip, Z_NO_FLUSH);
		next += size;
		length -= size;
	}
}

void gzip_close(struct gzip *gzip)
{
	pump(gzip, Z_FINISH);
	deflateEnd(&gzip->stream);
	free(gzip);
}
