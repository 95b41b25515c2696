/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading and writing tar. We write pax with numeric owner 0 and nothing that differs
 * between two machines; input is untrusted. Members are described as the archive states
 * them; nothing here touches a file. Writers are in tar_write.c and tar_filter.c, readers
 * in tar_read.c and tar_unfilter.c, the only files that include libarchive.
 */
#ifndef LIBEXPT_BUNDLE_TAR_H
#define LIBEXPT_BUNDLE_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "libexpt/bundle/limits.h"
#include "libexpt/expt.h"
#include "libexpt/stream/compress.h"
#include "libexpt/stream/seekable.h"

enum tar_type {
	TAR_FILE,
	TAR_DIRECTORY,
	TAR_LINK,      /* symbolic */
	TAR_HARD_LINK, /* readers only, like the rest */
	TAR_FIFO,
	TAR_DEVICE,
	TAR_OTHER,
};

struct tar_member {
	const char *name; /* readers: valid until the next member */
	enum tar_type type;
	uint32_t mode; /* permissions, set-id and sticky bits */
	uint64_t size; /* of a file */
	struct timespec mtime;
	const char *target; /* of a link, else NULL */
	uint64_t place; /* of its first header in the stream; set by the reader or writer
			 */
	uint64_t span;	/* distance to the next header; 0: unknown */
};

struct tar_writer;

/* Open a writer to the compressor, which the caller must finish and close. */
int tar_writer_open(struct tar_writer **out, struct compressor *compressor,
		    struct expt_error *err);
/* Start a new frame where it pays, so that the next member, of that size, can be read
 * without decompressing much before it. Frames are shorter before a small member. */
#define TAR_SMALL_FILE (1u << 20)
int tar_writer_cut(struct tar_writer *writer, uint64_t next_size, struct expt_error *err);
int tar_writer_member(struct tar_writer *writer, const struct tar_member *member,
		      struct expt_error *err);
/* Write data of the member, exactly member->size bytes in all. */
int tar_writer_data(struct tar_writer *writer, const void *bytes, size_t length,
		    struct expt_error *err);
/* End the archive and pass the index to the compressor, to be finished while the writer
 * is open. */
int tar_writer_finish(struct tar_writer *writer, struct expt_error *err);
void tar_writer_close(struct tar_writer *writer);

struct tar_reader;

/* How to read a stream; all zeros are the defaults. */
struct tar_reading {
	unsigned threads;
	unsigned timeout_s; /* maximum silence of a pipe, then -ETIMEDOUT; 0: no limit */
	const struct limits *limits;	/* NULL: the defaults */
	struct expt_progress *progress; /* unless NULL, the input bytes are added */
	const volatile int *stop; /* unless NULL: end with -EINTR once it is not 0 */
};

/* Open a reader of tar, plain or compressed with zstd, gzip, bzip2 or xz, from fd, which
 * the caller closes. how may be NULL. Reading fails with -EPERM if more is decompressed
 * than the limits allow, and -EBADMSG if more than the members need. */
int tar_reader_open(struct tar_reader **out, int fd, const struct tar_reading *how,
		    struct expt_error *err);
/* Open a reader of the single member that begins at place and takes span bytes, in a tar
 * stream without filters, which the caller closes. Nothing after that member can be
 * read. */
int tar_reader_open_at(struct tar_reader **out, struct seekable *seekable, uint64_t place,
		       uint64_t span, struct expt_error *err);
/* Returns whether the input is one compressed stream, which cannot be read from the
 * middle. */
bool tar_reader_is_packed(const struct tar_reader *reader);
/* Copy the contents of fd, with gzip, bzip2, xz and zstd decompressed, to the file to;
 * -EPERM: more than max bytes. */
int tar_spool(int fd, int to, uint64_t max, const struct tar_reading *how,
	      struct expt_error *err);
/* Returns 1 and fills *member, 0 at the end, negative on error; -EBADMSG: not tar,
 * damaged, or truncated. */
int tar_reader_next(struct tar_reader *reader, struct tar_member *member,
		    struct expt_error *err);
/* Get a piece of the member's data, valid until the next call, and its offset in the
 * file. Returns its length, 0 at the end. Gaps between pieces are zeros. */
ssize_t tar_reader_data(struct tar_reader *reader, const void **bytes, uint64_t *offset,
			struct expt_error *err);
uint64_t tar_reader_consumed(const struct tar_reader *reader); /* bytes of the input */
uint64_t tar_reader_size(const struct tar_reader *reader);     /* 0: unknown */
/* Returns whether the input is a serial zstd stream, whose index, if any, comes last.
 * Then, at the end, tar_reader_index() returns 1 with its text, like
 * decompressor_index(). */
bool tar_reader_is_serial(const struct tar_reader *reader);
int tar_reader_index(char **text, uint64_t *plain_size, const struct tar_reader *reader,
		     size_t max, struct expt_error *err);
void tar_reader_close(struct tar_reader *reader);

#endif
