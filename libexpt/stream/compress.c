/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of frames: filled and emptied by the caller's thread, compressed by the threads
 * of a pipeline. */
#include "libexpt/stream/compress.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/pipeline.h"
#include "libexpt/stream/filter.h"
#include "libexpt/stream/seek_table.h"

#define WINDOW_LOG 23 /* 8 MiB: the whole frame */
/* A frame that shrinks to less than this fraction is compressed again, at this level. */
#define VERY_COMPRESSIBLE 16
#define THOROUGH_LEVEL	  12
#define THOROUGH_LOG	  18 /* of its tables: the default takes 48 MB per thread */

struct frame {
	unsigned char *plain, *packed;
	size_t plain_size, packed_size;
	enum expt_compression method;
	int level;
	ZSTD_CCtx *context;
	int error;
};

struct compressor {
	int fd;
	enum expt_compression method;
	struct frame *frames;
	size_t frame_count;
	struct frame *filling; /* or NULL */
	struct pipeline *pipeline;
	struct seek_table table;
	uint64_t taken; /* bytes to compress so far */
	const char *index;
	size_t index_length;
};

static void free_context(ZSTD_CCtx **context)
{
	ZSTD_freeCCtx(*context);
}

/* ---- one frame ---- */

/* Release the pages of a buffer whose content is no longer needed, until it is filled
 * again. */
static void give_back(unsigned char *bytes, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE),
	       skip = page - (uintptr_t)bytes % page;

	if (size > skip + page)
		madvise(bytes + skip, (size - skip) / page * page, MADV_DONTNEED);
}

/* A frame that does not shrink is in memory twice, and one more frame than there are
 * threads may be waiting. Give back only half of it: getting memory again takes time. */
static void pack(struct frame *frame, size_t size)
{
	frame->packed_size = size;
	if (size > frame->plain_size / 4 * 3)
		give_back(frame->plain, frame->plain_size / 2);
}

/* table_log 0: the level's default */
static size_t compress_at(struct frame *frame, int level, int table_log)
{
	ZSTD_CCtx_setParameter(frame->context, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(frame->context, ZSTD_c_hashLog, table_log);
	ZSTD_CCtx_setParameter(frame->context, ZSTD_c_chainLog, table_log);
	return ZSTD_compress2(frame->context, frame->packed,
			      ZSTD_compressBound(COMPRESS_FRAME_SIZE), frame->plain,
			      frame->plain_size);
}

/* The logs and maps of many descendants are alike: there a higher level costs next to
 * nothing, and saves a fifth. */
static void compress_with_zstd(void *job)
{
	struct frame *frame = job;
	size_t size = compress_at(frame, frame->level ? frame->level : COMPRESS_LEVEL, 0);

	if (frame->level == 0 && size < frame->plain_size / VERY_COMPRESSIBLE)
		size = compress_at(frame, THOROUGH_LEVEL, THOROUGH_LOG);
	frame->error = !ZSTD_isError(size)					 ? 0
		       : ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation ? -ENOMEM
										 : -EIO;
	if (frame->error == 0)
		pack(frame, size);
}

/* Frames become members of a gzip file or streams of an xz file, which may be
 * concatenated. */
static void compress_with_filter(void *job)
{
	struct frame *frame = job;
	size_t size = ZSTD_compressBound(COMPRESS_FRAME_SIZE);

	frame->error = tar_filter(frame->method, frame->level, frame->plain,
				  frame->plain_size, frame->packed, &size);
	if (frame->error == 0)
		pack(frame, size);
}

static void keep(void *job)
{
	struct frame *frame = job;

	frame->packed_size = frame->plain_size;
}

static void (*const work[])(void *job) = {
	[EXPT_COMPRESSION_ZSTD] = compress_with_zstd,
	[EXPT_COMPRESSION_GZIP] = compress_with_filter,
	[EXPT_COMPRESSION_XZ] = compress_with_filter,
	[EXPT_COMPRESSION_NONE] = keep,
};

static bool frame_init(struct frame *frame, enum expt_compression method, int level)
{
	frame->method = method;
	frame->level = level;
	frame->plain = io_buffer(COMPRESS_FRAME_SIZE);
	if (method == EXPT_COMPRESSION_NONE)
		return frame->plain != NULL;
	frame->packed = io_buffer(ZSTD_compressBound(COMPRESS_FRAME_SIZE));
	if (method != EXPT_COMPRESSION_ZSTD)
		return frame->plain && frame->packed;
	frame->context = ZSTD_createCCtx();
	if (!frame->plain || !frame->packed || !frame->context)
		return false;
	ZSTD_CCtx_setParameter(frame->context, ZSTD_c_windowLog, WINDOW_LOG);
	ZSTD_CCtx_setParameter(frame->context, ZSTD_c_checksumFlag, 1);
	return true;
}

/* ---- all frames ---- */

static void free_frames(struct frame *frames, size_t count)
{
	for (size_t i = 0; frames && i < count; i++) {
		ZSTD_freeCCtx(frames[i].context);
		free(frames[i].plain);
		free(frames[i].packed);
	}
	free(frames);
}

static int open_frames(struct compressor *compressor, int level, unsigned threads)
{
	/* one to fill: each further one would take 16 MB */
	compressor->frame_count = threads > 1 ? threads + 1 : 1;
	compressor->frames = calloc(compressor->frame_count, sizeof(*compressor->frames));
	if (!compressor->frames)
		return -ENOMEM;
	for (size_t i = 0; i < compressor->frame_count; i++)
		if (!frame_init(&compressor->frames[i], compressor->method, level))
			return -ENOMEM;
	return pipeline_open(&compressor->pipeline, threads, compressor->frames,
			     compressor->frame_count, sizeof(*compressor->frames),
			     work[compressor->method]);
}

int compressor_open(struct compressor **out, int fd, enum expt_compression method,
		    int level, unsigned threads, struct expt_error *err)
{
	struct compressor *compressor = calloc(1, sizeof(*compressor));
	int rc;

	if (!compressor)
		return expt_fail(err, -ENOMEM, "cannot compress");
	compressor->fd = fd;
	compressor->method = method;
	rc = open_frames(compressor, level,
			 method == EXPT_COMPRESSION_NONE ? 1 : pipeline_threads(threads));
	if (rc < 0) {
		compressor_close(compressor);
		return expt_fail(err, rc, "cannot compress");
	}
	*out = compressor;
	return 0;
}

void compressor_close(struct compressor *compressor)
{
	if (!compressor)
		return;
	pipeline_close(compressor->pipeline);
	free_frames(compressor->frames, compressor->frame_count);
	array_release(&compressor->table);
	free(compressor);
}

static int write_frame(struct compressor *compressor, struct frame *frame,
		       struct expt_error *err)
{
	struct seek_entry *entry = array_add(&compressor->table);
	int rc = entry ? frame->error : -ENOMEM;

	if (rc < 0)
		return expt_fail(err, rc, "cannot compress");
	entry->packed_size = (uint32_t)frame->packed_size;
	entry->plain_size = (uint32_t)frame->plain_size;
	rc = io_write_all(compressor->fd,
			  compressor->method == EXPT_COMPRESSION_NONE ? frame->plain
								      : frame->packed,
			  frame->packed_size);
	if (frame->packed)
		give_back(frame->packed, frame->packed_size);
	return rc < 0 ? expt_fail(err, rc, "cannot write") : 0;
}

/* Write compressed frames. wait: until one frame is free; all: until every frame is. */
static int write_done(struct compressor *compressor, bool wait, bool all,
		      struct expt_error *err)
{
	struct frame *frame;

	while ((frame = pipeline_take_done(compressor->pipeline, wait))) {
		int rc = write_frame(compressor, frame, err);

		if (rc < 0)
			return rc;
		pipeline_recycle(compressor->pipeline);
		wait = all;
	}
	return 0;
}

static int submit(struct compressor *compressor, struct expt_error *err)
{
	compressor->filling = NULL;
	pipeline_submit(compressor->pipeline);
	return write_done(compressor, false, false, err);
}

static int start_frame(struct compressor *compressor, struct expt_error *err)
{
	int rc;

	compressor->filling = pipeline_take_free(compressor->pipeline);
	if (!compressor->filling) {
		rc = write_done(compressor, true, false, err);
		if (rc < 0)
			return rc;
		compressor->filling = pipeline_take_free(compressor->pipeline);
	}
	compressor->filling->plain_size = 0;
	return 0;
}

int compressor_write(struct compressor *compressor, const void *bytes, size_t length,
		     struct expt_error *err)
{
	const unsigned char *next = bytes;
	int rc = 0;

	while (length > 0 && rc == 0) {
		struct frame *frame;
		size_t part;

		if (!compressor->filling && (rc = start_frame(compressor, err)) < 0)
			return rc;
		frame = compressor->filling;
		part = COMPRESS_FRAME_SIZE - frame->plain_size;
		if (part > length)
			part = length;
		memcpy(frame->plain + frame->plain_size, next, part);
		frame->plain_size += part;
		compressor->taken += part;
		next += part;
		length -= part;
		if (frame->plain_size == COMPRESS_FRAME_SIZE)
			rc = submit(compressor, err);
	}
	return rc;
}

int compressor_cut(struct compressor *compressor, size_t least, struct expt_error *err)
{
	const struct frame *frame = compressor->filling;

	return frame && frame->plain_size >= least ? submit(compressor, err) : 0;
}

/* The index has an entry in the table like the other frames, but with no plain bytes. */
static int write_index(struct compressor *compressor, struct expt_error *err)
{
	size_t bound = ZSTD_compressBound(compressor->index_length), size;
	cleanup_free unsigned char *bytes = malloc(SKIPPABLE_HEAD + bound);
	struct seek_entry *entry = bytes ? array_add(&compressor->table) : NULL;
	cleanup(free_context) ZSTD_CCtx *context = ZSTD_createCCtx();
	int rc;

	if (!entry || !context)
		return expt_fail(err, -ENOMEM, "cannot compress");
	ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, COMPRESS_LEVEL_MAX);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	size = ZSTD_compress2(context, bytes + SKIPPABLE_HEAD, bound, compressor->index,
			      compressor->index_length);
	if (ZSTD_isError(size) || size > UINT32_MAX - SKIPPABLE_HEAD)
		return expt_fail(err, -EFBIG, "cannot compress the index");
	seek_put32(seek_put32(bytes, SEEK_INDEX_MAGIC), (uint32_t)size);
	entry->packed_size = (uint32_t)(SKIPPABLE_HEAD + size);
	rc = io_write_all(compressor->fd, bytes, entry->packed_size);
	return rc < 0 ? expt_fail(err, rc, "cannot write") : 0;
}

static int write_table(struct compressor *compressor, struct expt_error *err)
{
	cleanup_free unsigned char *bytes = NULL;
	size_t size;
	int rc = seek_table_bytes(&bytes, &size, &compressor->table);

	if (rc < 0)
		return expt_fail(err, rc, "cannot compress");
	rc = io_write_all(compressor->fd, bytes, size);
	return rc < 0 ? expt_fail(err, rc, "cannot write") : 0;
}

int compressor_finish(struct compressor *compressor, struct expt_error *err)
{
	int rc = compressor->filling ? submit(compressor, err) : 0;

	if (rc == 0)
		rc = write_done(compressor, true, true, err);
	if (rc < 0 || compressor->method != EXPT_COMPRESSION_ZSTD)
		return rc;
	if (compressor->index_length > 0)
		rc = write_index(compressor, err);
	return rc < 0 ? rc : write_table(compressor, err);
}

void compressor_set_index(struct compressor *compressor, const char *index, size_t length)
{
	compressor->index = index;
	compressor->index_length = length;
}

uint64_t compressor_taken(const struct compressor *compressor)
{
	return compressor->taken;
}
