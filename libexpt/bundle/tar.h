/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tar in and out. What we write is pax with numeric owner 0 and nothing that differs
 * between two machines; what we read may come from anybody. Members are facts as the
 * archive states them: nothing here touches a file. Writers are in tar_write.c and
 * tar_filter.c, readers in tar_read.c and tar_unfilter.c, which are the only files that
 * include libarchive.
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
	TAR_HARD_LINK, /* readers only, and so are the others below */
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
	uint64_t place;	    /* of its first header in the stream, which others fill in */
	uint64_t span;	    /* to that of the next one; 0: not known */
};

struct tar_writer;

/* Writes through the compressor, which stays the caller's and must be finished by it. */
int tar_writer_open(struct tar_writer **out, struct compressor *compressor,
		    struct expt_error *err);
/* The next member, of that size, will be read on its own: let nothing large have to be
 * read for it, and least of all for a small one. */
#define TAR_SMALL_FILE (1u << 20)
int tar_writer_cut(struct tar_writer *writer, uint64_t next_size, struct expt_error *err);
int tar_writer_member(struct tar_writer *writer, const struct tar_member *member,
		      struct expt_error *err);
/* Data of the member, exactly member->size bytes in all. */
int tar_writer_data(struct tar_writer *writer, const void *bytes, size_t length,
		    struct expt_error *err);
/* What there is to finish the compressor with, the index among it, which lives as long as
 * the writer. */
int tar_writer_finish(struct tar_writer *writer, struct expt_error *err);
void tar_writer_close(struct tar_writer *writer);

struct tar_reader;

/* How a stream is read; zeroed is fine. */
struct tar_reading {
	unsigned threads;
	unsigned timeout_s;		/* of silence, of a pipe; 0: any. -ETIMEDOUT */
	const struct limits *limits;	/* NULL: the defaults */
	struct expt_progress *progress; /* NULL, or: the bytes of the input are added */
	const volatile int *stop;	/* NULL, or: when it is not 0, end with -EINTR */
};

/* Reads tar, in zstd, gzip, bzip2 or xz or as it is, from fd, which stays the caller's.
 * how may be NULL. -EPERM: more comes out than the limits allow; -EBADMSG: or than the
 * members need. */
int tar_reader_open(struct tar_reader **out, int fd, const struct tar_reading *how,
		    struct expt_error *err);
/* Reads the member that begins at place, and takes span bytes, of a stream of tar without
 * filters, which stays the caller's. Nothing may be asked behind that member. */
int tar_reader_open_at(struct tar_reader **out, struct seekable *seekable, uint64_t place,
		       uint64_t span, struct expt_error *err);
/* Whether what is read is one stream of compressed data, so that it cannot be read from
 * the middle. */
bool tar_reader_is_packed(const struct tar_reader *reader);
/* What fd holds, gzip, bzip2, xz and zstd undone, to the file to; -EPERM: it would be
 * more than max. */
int tar_spool(int fd, int to, uint64_t max, const struct tar_reading *how,
	      struct expt_error *err);
/* 1 and *member filled, 0 at the end, negative on error; -EBADMSG: no tar, or damaged, or
 * cut. */
int tar_reader_next(struct tar_reader *reader, struct tar_member *member,
		    struct expt_error *err);
/* A piece of the member's data, valid until the next call, and where in the file it
 * belongs: its length, 0 at the end. Gaps between pieces are zeros. */
ssize_t tar_reader_data(struct tar_reader *reader, const void **bytes, uint64_t *offset,
			struct expt_error *err);
uint64_t tar_reader_consumed(const struct tar_reader *reader); /* bytes of the input */
uint64_t tar_reader_size(const struct tar_reader *reader);     /* 0: unknown */
/* Whether it is zstd, and comes in one stream: an index may follow, 1 with its text at
 * the end. As decompressor_index(). */
bool tar_reader_is_serial(const struct tar_reader *reader);
int tar_reader_index(char **text, uint64_t *plain_size, const struct tar_reader *reader,
		     size_t max, struct expt_error *err);
void tar_reader_close(struct tar_reader *reader);

#endif
