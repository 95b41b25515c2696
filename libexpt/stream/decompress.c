/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of frames: read and decompressed by the threads of a pipeline, taken in order. A
 * stream without a table of frames is read piece by piece. */
#include "libexpt/stream/decompress.h"

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
#include "libexpt/common/error.h"
#include "libexpt/common/pipeline.h"
#include "libexpt/stream/seek_table.h"
#include "libexpt/stream/seek_tail.h"

#define SERIAL_INPUT 262144u

struct frame {
	unsigned char *plain, *packed;
	size_t plain_size, packed_size;
	ZSTD_DCtx *context;
	int fd; /* fd and offset: where to read it */
	uint64_t offset;
	int error;
};

enum way { WAY_PLAIN, WAY_SERIAL, WAY_PARALLEL };

struct decompressor {
	enum way way;
	int fd;
	unsigned timeout_s;
	uint64_t consumed, size;

	/* plain and serial: input is read into packed; its unread part begins at next */
	struct frame serial;
	size_t next;
	bool is_inside_frame;
	struct seek_tail tail;

	/* parallel */
	struct frame *frames;
	size_t frame_count;
	struct pipeline *pipeline;
	struct seek_table table;
	size_t submitted; /* entries of the table */
	uint64_t offset;  /* of the next frame to submit */
	bool has_result;  /* the caller holds the oldest frame */
};

static void free_frame(struct frame *frame)
{
	ZSTD_freeDCtx(frame->context);
	free(frame->plain);
	free(frame->packed);
}

static int damaged(const struct decompressor *decompressor, const char *what,
		   struct expt_error *err)
{
	return expt_refuse(err, -EBADMSG, "the compressed data %s near byte %llu", what,
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
	size = ZSTD_decompressDCtx(frame->context, frame->plain, frame->plain_size,
				   frame->packed, frame->packed_size);
	if (!ZSTD_isError(size) && size == frame->plain_size)
		frame->error = 0;
}

static bool open_decompression(struct frame *frame, size_t packed_size, size_t plain_size)
{
	frame->packed = io_buffer(packed_size);
	frame->plain = io_buffer(plain_size);
	frame->context = ZSTD_createDCtx();
	return frame->packed && frame->plain && frame->context;
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
	decompressor->frame_count = threads > 1 ? threads + 1 : 1;
	decompressor->frames = calloc(decompressor->frame_count, sizeof(struct frame));
	if (!decompressor->frames)
		return -ENOMEM;
	for (size_t i = 0; i < decompressor->frame_count; i++) {
		decompressor->frames[i].fd = decompressor->fd;
		if (!open_decompression(&decompressor->frames[i], packed_size,
					plain_size))
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

static ssize_t read_full(const struct decompressor *decompressor, void *bytes,
			 size_t length)
{
	return io_read_full_within(decompressor->fd, bytes, length,
				   decompressor->timeout_s);
}

/* Detect the kind of stream from its first bytes, which stay in the buffer for the
 * reader. */
static int open_stream(struct decompressor *decompressor)
{
	struct frame *serial = &decompressor->serial;
	ssize_t got;

	serial->packed = io_buffer(SERIAL_INPUT);
	if (!serial->packed)
		return -ENOMEM;
	got = read_full(decompressor, serial->packed, SERIAL_INPUT);
	if (got < 0)
		return (int)got;
	serial->packed_size = (size_t)got;
	decompressor->consumed = (uint64_t)got;
	decompressor->way = WAY_PLAIN;
	if (!is_zstd(serial->packed, (size_t)got))
		return 0;
	decompressor->way = WAY_SERIAL;
	serial->plain = io_buffer(ZSTD_DStreamOutSize());
	serial->context = ZSTD_createDCtx();
	return serial->plain && serial->context ? 0 : -ENOMEM;
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
		if (io_pread_full(decompressor->fd, head, sizeof(head), 0) ==
			    sizeof(head) &&
		    is_zstd(head, sizeof(head)) &&
		    seek_table_read(&decompressor->table, decompressor->fd,
				    decompressor->size))
			return open_parallel(decompressor, pipeline_threads(threads));
	}
	return open_stream(decompressor);
}

int decompressor_open(struct decompressor **out, int fd, unsigned threads,
		      unsigned timeout_s, struct expt_error *err)
{
	struct decompressor *decompressor = calloc(1, sizeof(*decompressor));
	int rc;

	if (!decompressor)
		return expt_fail(err, -ENOMEM, "cannot decompress");
	decompressor->fd = fd;
	decompressor->timeout_s = timeout_s;
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
	for (size_t i = 0; decompressor->frames && i < decompressor->frame_count; i++)
		free_frame(&decompressor->frames[i]);
	free(decompressor->frames);
	free_frame(&decompressor->serial);
	array_release(&decompressor->table);
	seek_tail_release(&decompressor->tail);
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

int decompressor_index(char **text, uint64_t *plain_size,
		       const struct decompressor *decompressor, size_t max,
		       struct expt_error *err)
{
	return seek_tail_index(text, plain_size, &decompressor->tail,
			       decompressor->consumed, max, err);
}

bool decompressor_is_serial(const struct decompressor *decompressor)
{
	return decompressor->way == WAY_SERIAL;
}

bool decompressor_is_plain(const struct decompressor *decompressor)
{
	return decompressor->way == WAY_PLAIN;
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

/* Read more input if all is used. Returns the unused bytes, 0 at the end. */
static ssize_t refill(struct decompressor *decompressor, struct expt_error *err)
{
	struct frame *serial = &decompressor->serial;
	ssize_t got;

	if (decompressor->next < serial->packed_size)
		return (ssize_t)(serial->packed_size - decompressor->next);
	got = io_read_within(decompressor->fd, serial->packed, SERIAL_INPUT,
			     decompressor->timeout_s);
	if (got < 0)
		return expt_fail(err, (int)got, "cannot read");
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

/* Read until this many bytes of input are unused, or to the end; returns how many are. */
static ssize_t look_ahead(struct decompressor *decompressor, size_t wanted,
			  struct expt_error *err)
{
	struct frame *serial = &decompressor->serial;
	size_t there = serial->packed_size - decompressor->next;
	ssize_t got;

	if (there >= wanted)
		return (ssize_t)there;
	memmove(serial->packed, serial->packed + decompressor->next, there);
	decompressor->next = 0;
	serial->packed_size = there;
	got = read_full(decompressor, serial->packed + there, wanted - there);
	if (got < 0)
		return expt_fail(err, (int)got, "cannot read");
	serial->packed_size += (size_t)got;
	decompressor->consumed += (uint64_t)got;
	return (ssize_t)serial->packed_size;
}

/* Take a whole frame, which may be longer than the buffer. */
static int take_frame(struct decompressor *decompressor, size_t size, uint64_t place,
		      struct expt_error *err)
{
	struct frame *serial = &decompressor->serial;
	size_t part = serial->packed_size - decompressor->next;
	unsigned char *bytes = malloc(size);
	ssize_t got;

	if (!bytes)
		return expt_fail(err, -ENOMEM, "cannot decompress");
	if (part > size)
		part = size;
	memcpy(bytes, serial->packed + decompressor->next, part);
	decompressor->next += part;
	got = read_full(decompressor, bytes + part, size - part);
	if (got >= 0)
		decompressor->consumed += (uint64_t)got;
	if (got < 0 || (size_t)got < size - part) {
		free(bytes);
		return got < 0 ? expt_fail(err, (int)got, "cannot read")
			       : damaged(decompressor, "is truncated", err);
	}
	seek_tail_add_frame(&decompressor->tail, bytes, size, place);
	return 1;
}

/* Take the frame that begins here if it belongs to the tail: 1, or 0 if it does not. */
static int take_tail(struct decompressor *decompressor, struct expt_error *err)
{
	ssize_t there = look_ahead(decompressor, SKIPPABLE_HEAD, err);
	uint64_t place = decompressor->consumed - (uint64_t)there;
	int64_t size;

	if (there < (ssize_t)SKIPPABLE_HEAD)
		return there < 0 ? (int)there : 0;
	size = seek_tail_frame_size(&decompressor->tail,
				    decompressor->serial.packed + decompressor->next,
				    place);
	if (size < 0)
		return damaged(decompressor, "has an oversized index", err);
	return size > 0 ? take_frame(decompressor, (size_t)size, place, err) : 0;
}

static ssize_t read_serial(struct decompressor *decompressor, const void **bytes,
			   struct expt_error *err)
{
	struct frame *serial = &decompressor->serial;
	ZSTD_outBuffer output = { serial->plain, ZSTD_DStreamOutSize(), 0 };

	while (output.pos == 0) {
		int taken = decompressor->is_inside_frame ? 0
							  : take_tail(decompressor, err);
		ssize_t length = taken < 0 ? taken : refill(decompressor, err);
		ZSTD_inBuffer input = { serial->packed, serial->packed_size,
					decompressor->next };
		size_t rc;

		if (length < 0)
			return length;
		if (taken > 0)
			continue;
		if (length == 0 && !decompressor->is_inside_frame)
			return 0;
		rc = ZSTD_decompressStream(serial->context, &output, &input);
		if (ZSTD_isError(rc))
			return damaged(decompressor, "is damaged", err);
		if (length == 0 && output.pos == 0)
			return damaged(decompressor, "is truncated", err);
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
