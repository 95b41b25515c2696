/* SPDX-License-Identifier: Apache-2.0 */
#define ZSTD_STATIC_LINKING_ONLY /* for ZSTD_d_stableOutBuffer, which saves a copy */
#include "libexpt/stream/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include "libexpt/base/cleanup.h"

struct frame_decoder *frame_decoder_new(void)
{
	return (struct frame_decoder *)ZSTD_createDCtx();
}

static ZSTD_DCtx *context_of(struct frame_decoder *decoder)
{
	return (ZSTD_DCtx *)decoder;
}

void frame_decoder_free(struct frame_decoder *decoder)
{
	ZSTD_freeDCtx(context_of(decoder));
}

void frame_decoder_start(struct frame_decoder *decoder)
{
	ZSTD_DCtx_reset(context_of(decoder), ZSTD_reset_session_only);
	ZSTD_DCtx_setParameter(context_of(decoder), ZSTD_d_stableOutBuffer, 1);
}

int frame_decoder_step(struct frame_decoder *decoder, unsigned char *plain,
		       size_t capacity, size_t *done, const unsigned char *bytes,
		       size_t *size)
{
	ZSTD_outBuffer output = { plain, capacity, *done };
	ZSTD_inBuffer input = { bytes, *size, 0 };
	size_t rc = ZSTD_decompressStream(context_of(decoder), &output, &input);

	if (ZSTD_isError(rc) || (input.pos == 0 && output.pos == *done))
		return -EBADMSG;
	*done = output.pos;
	*size = input.pos;
	return rc == 0;
}

int frame_text(char **text, const unsigned char *bytes, size_t size, size_t max)
{
	unsigned long long length = ZSTD_getFrameContentSize(bytes, size);
	cleanup_free char *plain = NULL;

	if (length > max) /* or it is unknown, or not a frame: these values are greater */
		return -EBADMSG;
	plain = malloc((size_t)length + 1);
	if (!plain)
		return -ENOMEM;
	if (ZSTD_decompress(plain, (size_t)length, bytes, size) != (size_t)length)
		return -EBADMSG;
	plain[length] = '\0';
	*text = steal(&plain);
	return 0;
}
