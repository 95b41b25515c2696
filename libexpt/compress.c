/* SPDX-License-Identifier: Apache-2.0 */
/* Both halves keep a ring of frames: filled and emptied by the caller's thread, compressed or
 * decompressed by those of a pipeline. */
#include "libexpt/compress.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/pipeline.h"
#include "libexpt/error.h"
#include "libexpt/seek_table.h"

#define WINDOW_LOG 23 /* 8 MiB: the whole frame */
/* A frame that shrinks to less than this part is compressed again, at this level. */
#define VERY_COMPRESSIBLE 16
#define THOROUGH_LEVEL	  9
#define SERIAL_INPUT	  262144u

struct frame {
	unsigned char *plain, *packed;
	size_t plain_size, packed_size;
	int level;
	ZSTD_CCtx *compression;
	ZSTD_DCtx *decompression;
	int fd; /* where a frame to decompress is read ... */
	uint64_t offset;
	int error;
};

/* ---- compression ---- */

struct compressor {
	int fd, level;
	struct frame *frames;
	size_t frame_count;
	struct frame *filling; /* or NULL */
	struct pipeline *pipeline;
	struct seek_table table;
	uint64_t taken; /* bytes to compress, so far */
	const char *index;
	size_t index_length;
};

static void free_context(ZSTD_CCtx **context)
{
	ZSTD_freeCCtx(*context);
}

static size_t compress_at(struct frame *frame, int level)
{
	ZSTD_CCtx_setParameter(frame->compression, ZSTD_c_compressionLevel, level);
	return ZSTD_compress2(frame->compression, frame->packed,
			      ZSTD_compressBound(COMPRESS_FRAME_SIZE), frame->plain,
			      frame->plain_size);
}

/* The logs and maps of many descendants are alike and mostly zeros: a higher level costs next to
 * nothing there, and saves a fifth. */
static void compress_frame(void *job)
{
	struct frame *frame = job;
	size_t size = compress_at(frame, frame->level);

	if (frame->level == COMPRESS_LEVEL && size < frame->plain_size / VERY_COMPRESSIBLE)
		size = compress_at(frame, THOROUGH_LEVEL);
	frame->error = ZSTD_isError(size) ? -EIO : 0;
	frame->packed_size = size;
}

static void keep_frame(void *job)
{
	struct frame *frame = job;

	frame->packed_size = frame->plain_size;
}

static bool frame_init(struct frame *frame, int level)
{
	frame->plain = malloc(COMPRESS_FRAME_SIZE);
	if (level == COMPRESS_LEVEL_NONE)
		return frame->plain != NULL;
	frame->packed = malloc(ZSTD_compressBound(COMPRESS_FRAME_SIZE));
	frame->compression = ZSTD_createCCtx();
	if (!frame->plain || !frame->packed || !frame->compression)
		return false;
	frame->level = level;
	ZSTD_CCtx_setParameter(frame->compression, ZSTD_c_windowLog, WINDOW_LOG);
	ZSTD_CCtx_setParameter(frame->compression, ZSTD_c_checksumFlag, 1);
	return true;
}

static void free_frames(struct frame *frames, size_t count)
{
	for (size_t i = 0; frames && i < count; i++) {
		ZSTD_freeCCtx(frames[i].compression);
		ZSTD_freeDCtx(frames[i].decompression);
		free(frames[i].plain);
		free(frames[i].packed);
	}
	free(frames);
}

static int open_frames(struct compressor *compressor, unsigned threads)
{
	compressor->frame_count = threads > 1 ? threads + 2 : 1;
	compressor->frames = calloc(compressor->frame_count, sizeof *compressor->frames);
	if (!compressor->frames)
		return -ENOMEM;
	for (size_t i = 0; i < compressor->frame_count; i++)
		if (!frame_init(&compressor->frames[i], compressor->level))
			return -ENOMEM;
	return pipeline_open(&compressor->pipeline, threads, compressor->frames,
			     compressor->frame_count, sizeof *compressor->frames,
			     compressor->level == COMPRESS_LEVEL_NONE ? keep_frame
								      : compress_frame);
}

int compressor_open(struct compressor **out, int fd, int level, unsigned threads,
		    struct expt_error *err)
{
	struct compressor *compressor = calloc(1, sizeof *compressor);
	int rc;

	if (!compressor)
		return expt_fail(err, -ENOMEM, "cannot compress");
	compressor->fd = fd;
	compressor->level = level ? level : COMPRESS_LEVEL;
	rc = open_frames(compressor,
			 level == COMPRESS_LEVEL_NONE ? 1 : pipeline_threads(threads));
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
			  compressor->level == COMPRESS_LEVEL_NONE ? frame->plain
								   : frame->packed,
			  frame->packed_size);
	return rc < 0 ? expt_fail(err, rc, "cannot write") : 0;
}

/* Write what is compressed; wait: until a frame is free, all: until every frame is. */
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

/* The index is in the table like the other frames, but stands for no bytes. */
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
	if (rc < 0 || compressor->level == COMPRESS_LEVEL_NONE)
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

/* ---- decompression ---- */

enum way { WAY_PLAIN, WAY_SERIAL, WAY_PARALLEL };

struct decompressor {
	enum way way;
	int fd;
	uint64_t consumed, size;

	/* plain and serial: input is read into packed, its unread part begins at next */
	struct frame serial;
	size_t next;
	bool is_inside_frame;

	/* parallel */
	struct frame *frames;
	size_t frame_count;
	struct pipeline *pipeline;
	struct seek_table table;
	size_t submitted; /* of the table */
	uint64_t offset;  /* of the next frame to submit */
	bool has_result;  /* the caller holds the oldest frame */
};

static int damaged(const struct decompressor *decompressor, const char *what,
		   struct expt_error *err)
{
	return expt_fail(err, -EBADMSG, "the compressed data %s near byte %llu", what,
			 (unsigned long long)decompressor->consumed);
}

static void decompress_frame(void *job)
{
	struct frame *frame = job;
	ssize_t got = io_pread_full(frame->fd, frame->packed, frame->packed_size,
				    (off_t)frame->offset);
	size_t size;

	frame->error = got < 0 ? (int)got : -EBADMSG;
	if (got < 0 || (size_t)got != frame->packed_size)
		return;
	size = ZSTD_decompressDCtx(frame->decompression, frame->plain, frame->plain_size,
				   frame->packed, frame->packed_size);
	if (!ZSTD_isError(size) && size == frame->plain_size)
		frame->error = 0;
}

static bool open_decompression(struct frame *frame, size_t packed_size, size_t plain_size)
{
	frame->packed = malloc(packed_size);
	frame->plain = malloc(plain_size);
	frame->decompression = ZSTD_createDCtx();
	return frame->packed && frame->plain && frame->decompression;
}

static int open_parallel(struct decompressor *decompressor, unsigned threads)
{
	size_t packed_size = 1, plain_size = 1;

	for (size_t i = 0; i < decompressor->table.count; i++) {
		const struct seek_entry *entry = &decompressor->table.items[i];

		if (entry->packed_size > packed_size)
			packed_size = entry->packed_size;
		if (entry->plain_size > plain_size)
			plain_size = entry->plain_size;
	}
	decompressor->way = WAY_PARALLEL;
	decompressor->frame_count = threads > 1 ? threads + 2 : 1;
	decompressor->frames = calloc(decompressor->frame_count, sizeof(struct frame));
	if (!decompressor->frames)
		return -ENOMEM;
	for (size_t i = 0; i < decompressor->frame_count; i++) {
		decompressor->frames[i].fd = decompressor->fd;
		if (!open_decompression(&decompressor->frames[i], packed_size, plain_size))
			return -ENOMEM;
	}
	return pipeline_open(&decompressor->pipeline, threads, decompressor->frames,
			     decompressor->frame_count, sizeof(struct frame),
			     decompress_frame);
}

static bool is_zstd(const unsigned char *head, size_t length)
{
	return length >= 4 && (seek_get32(head) == ZSTD_MAGICNUMBER ||
			       (seek_get32(head) & ZSTD_MAGIC_SKIPPABLE_MASK) ==
				       ZSTD_MAGIC_SKIPPABLE_START);
}

/* The first bytes say what the stream is; they stay in the buffer for the reader. */
static int open_stream(struct decompressor *decompressor)
{
	struct frame *serial = &decompressor->serial;
	ssize_t got;

	if (!open_decompression(serial, SERIAL_INPUT, ZSTD_DStreamOutSize()))
		return -ENOMEM;
	got = io_read_full(decompressor->fd, serial->packed, SERIAL_INPUT);
	if (got < 0)
		return (int)got;
	serial->packed_size = (size_t)got;
	decompressor->consumed = (uint64_t)got;
	decompressor->way = is_zstd(serial->packed, (size_t)got) ? WAY_SERIAL : WAY_PLAIN;
	return 0;
}

static int open_any(struct decompressor *decompressor, unsigned threads)
{
	unsigned char head[4];
	struct stat status;
	off_t start = lseek(decompressor->fd, 0, SEEK_CUR);

	if (fstat(decompressor->fd, &status) < 0)
		return -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	if (S_ISREG(status.st_mode) && start == 0) {
		decompressor->size = (uint64_t)status.st_size;
		if (io_pread_full(decompressor->fd, head, sizeof head, 0) == sizeof head &&
		    is_zstd(head, sizeof head) &&
		    seek_table_read(&decompressor->table, decompressor->fd,
				    decompressor->size))
			return open_parallel(decompressor, pipeline_threads(threads));
	}
	return open_stream(decompressor);
}

int decompressor_open(struct decompressor **out, int fd, unsigned threads,
		      struct expt_error *err)
{
	struct decompressor *decompressor = calloc(1, sizeof *decompressor);
	int rc;

	if (!decompressor)
		return expt_fail(err, -ENOMEM, "cannot decompress");
	decompressor->fd = fd;
	rc = open_any(decompressor, threads);
	if (rc < 0) {
		decompressor_close(decompressor);
		return expt_fail(err, rc, "cannot read");
	}
	*out = decompressor;
	return 0;
}

void decompressor_close(struct decompressor *decompressor)
{
	if (!decompressor)
		return;
	pipeline_close(decompressor->pipeline);
	free_frames(decompressor->frames, decompressor->frame_count);
	ZSTD_freeDCtx(decompressor->serial.decompression);
	free(decompressor->serial.packed);
	free(decompressor->serial.plain);
	array_release(&decompressor->table);
	free(decompressor);
}

uint64_t decompressor_consumed(const struct decompressor *decompressor)
{
	return decompressor->consumed;
}

uint64_t decompressor_size(const struct decompressor *decompressor)
{
	return decompressor->size;
}

static void submit_frames(struct decompressor *decompressor)
{
	struct frame *frame;

	while (decompressor->submitted < decompressor->table.count &&
	       (frame = pipeline_take_free(decompressor->pipeline))) {
		const struct seek_entry *entry =
			&decompressor->table.items[decompressor->submitted++];

		frame->offset = decompressor->offset;
		frame->packed_size = entry->packed_size;
		frame->plain_size = entry->plain_size;
		decompressor->offset += entry->packed_size;
		pipeline_submit(decompressor->pipeline);
	}
}

static ssize_t read_parallel(struct decompressor *decompressor, const void **bytes,
			     struct expt_error *err)
{
	struct frame *frame;

	do {
		if (decompressor->has_result)
			pipeline_recycle(decompressor->pipeline);
		submit_frames(decompressor);
		frame = pipeline_take_done(decompressor->pipeline, true);
		decompressor->has_result = frame != NULL;
		if (!frame)
			return 0;
		decompressor->consumed += frame->packed_size;
		if (frame->error == -EBADMSG)
			return damaged(decompressor, "is damaged", err);
		if (frame->error < 0)
			return expt_fail(err, frame->error, "cannot read");
	} while (frame->plain_size == 0);
	*bytes = frame->plain;
	return (ssize_t)frame->plain_size;
}

/* More input when all is used: its length, 0 at the end. */
static ssize_t refill(struct decompressor *decompressor, struct expt_error *err)
{
	struct frame *serial = &decompressor->serial;
	ssize_t got;

	if (decompressor->next < serial->packed_size)
		return (ssize_t)(serial->packed_size - decompressor->next);
	do
		got = read(decompressor->fd, serial->packed, SERIAL_INPUT);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return expt_fail(err, -errno, "cannot read");
	decompressor->next = 0;
	decompressor->consumed += (uint64_t)got;
	serial->packed_size = (size_t)got;
	return got;
}

static ssize_t read_plain(struct decompressor *decompressor, const void **bytes,
			  struct expt_error *err)
{
	ssize_t length = refill(decompressor, err);

	*bytes = decompressor->serial.packed + decompressor->next;
	decompressor->next = decompressor->serial.packed_size;
	return length;
}

static ssize_t read_serial(struct decompressor *decompressor, const void **bytes,
			   struct expt_error *err)
{
	struct frame *serial = &decompressor->serial;
	ZSTD_outBuffer output = { serial->plain, ZSTD_DStreamOutSize(), 0 };

	while (output.pos == 0) {
		ssize_t length = refill(decompressor, err);
		ZSTD_inBuffer input = { serial->packed, serial->packed_size,
					decompressor->next };
		size_t rc;

		if (length < 0)
			return length;
		if (length == 0 && !decompressor->is_inside_frame)
			return 0;
		rc = ZSTD_decompressStream(serial->decompression, &output, &input);
		if (ZSTD_isError(rc))
			return damaged(decompressor, "is damaged", err);
		if (length == 0 && output.pos == 0)
			return damaged(decompressor, "is cut off", err);
		decompressor->next = input.pos;
		decompressor->is_inside_frame = rc != 0;
	}
	*bytes = serial->plain;
	return (ssize_t)output.pos;
}

ssize_t decompressor_read(struct decompressor *decompressor, const void **bytes,
			  struct expt_error *err)
{
	switch (decompressor->way) {
	case WAY_PARALLEL:
		return read_parallel(decompressor, bytes, err);
	case WAY_SERIAL:
		return read_serial(decompressor, bytes, err);
	default:
		return read_plain(decompressor, bytes, err);
	}
}
