/* SPDX-License-Identifier: Apache-2.0 */
/* libarchive is used for the tar format only, never for files on disk. Below it is our
 * own zstd, or tar_unfilter.c, and every byte is counted on the way. */
#include "libexpt/bundle/tar.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/io.h"
#include "libexpt/base/late.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/stream/decompress.h"
#include "libexpt/stream/tar_fail.h"
#include "libexpt/stream/unfilter.h"

/* clang-format off */
#define FUNCTIONS(F) \
	F(archive_entry_filetype) F(archive_entry_hardlink) F(archive_entry_mtime) \
	F(archive_entry_mtime_nsec) F(archive_entry_pathname) F(archive_entry_perm) \
	F(archive_entry_size) F(archive_entry_symlink) F(archive_error_string) \
	F(archive_read_data_block) F(archive_read_free) \
	F(archive_read_header_position) F(archive_read_new) \
	F(archive_read_next_header) F(archive_read_open) \
	F(archive_read_set_format_option) F(archive_read_support_format_tar) \
	F(archive_set_error)
/* clang-format on */
FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library libarchive = LATE_LIBRARY(LATE_LIBARCHIVE, functions);

#define TRAILER_SIZE 1024  /* two zero blocks end a tar */
#define PART_SIZE    65536 /* bytes of a member per read */

struct tar_reader {
	struct archive *archive;
	/* Either a descriptor, perhaps through filters, */
	struct decompressor *decompressor;
	struct unfilter *unfilter;
	/* or a range of a seekable stream. */
	struct seekable *seekable;
	uint64_t place, end;

	struct tar_reading how;
	struct limits limits;
	struct expt_error inner;
	unsigned char last[TRAILER_SIZE]; /* the stream's last bytes so far */
	uint64_t length;
	uint64_t accounted; /* stream bytes that the members so far explain */
	uint64_t seen;	    /* of the input, reported as progress */
};

static int fail(struct tar_reader *reader, struct expt_error *err)
{
	return tar_fail(late_archive_error_string(reader->archive), &reader->inner,
			-EBADMSG, err);
}

/* Keep the last bytes of the stream: only they distinguish a complete tar from one
 * truncated between members. */
static void remember(struct tar_reader *reader, const unsigned char *bytes, size_t length)
{
	reader->length += length;
	if (length >= TRAILER_SIZE) {
		memcpy(reader->last, bytes + length - TRAILER_SIZE, TRAILER_SIZE);
		return;
	}
	memmove(reader->last, reader->last + length, TRAILER_SIZE - length);
	memcpy(reader->last + TRAILER_SIZE - length, bytes, length);
}

static ssize_t read_part(struct tar_reader *reader, const void **bytes)
{
	uint64_t left = reader->end - reader->place;
	ssize_t got = seekable_read(reader->seekable, reader->place,
				    left < PART_SIZE ? (size_t)left : PART_SIZE, bytes,
				    &reader->inner);

	if (got > 0)
		reader->place += (uint64_t)got;
	return got;
}

/* The length of the stream must be credible for the input, and explained by members:
 * libarchive looks for another archive after any number of zeros, which compress well. */
static int check_length(struct tar_reader *reader)
{
	uint64_t input = tar_reader_size(reader);

	if (input == 0)
		input = tar_reader_consumed(reader);
	if (reader->length > reader->accounted)
		return expt_refuse(&reader->inner, -EBADMSG,
				   "the tar archive has no end-of-archive marker");
	if (reader->length > limits_max_stream(&reader->limits, input))
		return expt_refuse(&reader->inner, -EPERM,
				   "it expands to more than --max-expansion allows");
	return 0;
}

static void show_progress(struct tar_reader *reader)
{
	uint64_t consumed = tar_reader_consumed(reader);

	if (consumed == reader->seen)
		return;
	progress_add(reader->how.progress, 0, consumed - reader->seen);
	reader->seen = consumed;
}

static ssize_t read_more(struct tar_reader *reader, const void **bytes)
{
	ssize_t got =
		reader->unfilter
			? unfilter_read(reader->unfilter, bytes, &reader->inner)
			: decompressor_read(reader->decompressor, bytes, &reader->inner);
	int rc = 0;

	if (got <= 0)
		return got;
	remember(reader, *bytes, (size_t)got);
	rc = check_length(reader);
	if (rc == 0 && reader->how.stop && *reader->how.stop)
		rc = expt_fail(&reader->inner, -EINTR, "stopped");
	show_progress(reader);
	return rc < 0 ? rc : got;
}

static la_ssize_t read_bytes(struct archive *archive, void *context, const void **bytes)
{
	struct tar_reader *reader = context;
	ssize_t got = reader->seekable ? read_part(reader, bytes)
				       : read_more(reader, bytes);

	if (got < 0) {
		late_archive_set_error(archive, (int)-got, "%s", reader->inner.message);
		return -1;
	}
	return got;
}

/* A stream may contain several archives, one after the other: read those after the first
 * like the rest. */
static int open_tar(struct tar_reader *reader, struct expt_error *err)
{
	int rc = expt_load(&libarchive, err);

	if (rc < 0)
		return rc;
	reader->archive = late_archive_read_new();
	if (!reader->archive)
		return expt_fail(err, -ENOMEM, "cannot read tar");
	if (late_archive_read_support_format_tar(reader->archive) != ARCHIVE_OK ||
	    late_archive_read_set_format_option(reader->archive, "tar",
						"read_concatenated_archives",
						"1") != ARCHIVE_OK)
		return expt_refuse(err, -ENOTSUP,
				   "this libarchive cannot read tar archives");
	if (late_archive_read_open(reader->archive, reader, NULL, read_bytes, NULL) !=
	    ARCHIVE_OK)
		return fail(reader, err);
	return 0;
}

static int open_source(struct tar_reader *reader, int fd, struct expt_error *err)
{
	int rc = decompressor_open(&reader->decompressor, fd, reader->how.threads,
				   reader->how.timeout_s, err);

	if (rc == 0 && decompressor_is_plain(reader->decompressor))
		rc = unfilter_open(&reader->unfilter, reader->decompressor, err);
	return rc;
}

static int new_reader(struct tar_reader **out, int fd, const struct tar_reading *how,
		      struct expt_error *err)
{
	struct tar_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return expt_fail(err, -ENOMEM, "cannot read tar");
	*out = reader;
	reader->accounted = LIMITS_TRAILER;
	if (how)
		reader->how = *how;
	if (how && how->limits)
		reader->limits = *how->limits;
	else
		limits_init(&reader->limits, NULL);
	return open_source(reader, fd, err);
}

int tar_reader_open(struct tar_reader **out, int fd, const struct tar_reading *how,
		    struct expt_error *err)
{
	struct tar_reader *reader = NULL;
	int rc = new_reader(&reader, fd, how, err);

	if (rc == 0)
		rc = open_tar(reader, err);
	if (rc < 0) {
		tar_reader_close(reader);
		return rc;
	}
	*out = reader;
	return 0;
}

int tar_reader_open_at(struct tar_reader **out, struct seekable *seekable, uint64_t place,
		       uint64_t span, struct expt_error *err)
{
	struct tar_reader *reader = calloc(1, sizeof(*reader));
	uint64_t size = seekable_size(seekable), left = place < size ? size - place : 0;
	int rc;

	if (!reader)
		return expt_fail(err, -ENOMEM, "cannot read tar");
	reader->seekable = seekable;
	reader->place = place;
	reader->end = place + (span && span < left ? span : left);
	rc = open_tar(reader, err);
	if (rc < 0) {
		tar_reader_close(reader);
		return rc;
	}
	*out = reader;
	return 0;
}

bool tar_reader_is_serial(const struct tar_reader *reader)
{
	return decompressor_is_serial(reader->decompressor);
}

bool tar_reader_is_packed(const struct tar_reader *reader)
{
	return tar_reader_is_serial(reader) ||
	       (reader->unfilter && unfilter_is_packed(reader->unfilter));
}

void tar_reader_close(struct tar_reader *reader)
{
	if (!reader)
		return;
	if (reader->archive)
		late_archive_read_free(reader->archive);
	unfilter_close(reader->unfilter);
	decompressor_close(reader->decompressor);
	free(reader);
}

static enum tar_type type_of(struct archive_entry *entry)
{
	if (late_archive_entry_hardlink(entry))
		return TAR_HARD_LINK;
	switch (late_archive_entry_filetype(entry)) {
	case AE_IFREG:
		return TAR_FILE;
	case AE_IFDIR:
		return TAR_DIRECTORY;
	case AE_IFLNK:
		return TAR_LINK;
	case AE_IFIFO:
		return TAR_FIFO;
	case AE_IFCHR:
	case AE_IFBLK:
		return TAR_DEVICE;
	default:
		return TAR_OTHER;
	}
}

/* Check that the end is not damaged or truncated. Compressed data has an end of its
 * own. */
static int check_end(struct tar_reader *reader, struct expt_error *err)
{
	const void *bytes;
	ssize_t got = read_more(reader, &bytes);

	if (got < 0)
		return fail(reader, err);
	if (reader->unfilter && unfilter_is_packed(reader->unfilter))
		return 0;
	for (size_t i = 0; i < TRAILER_SIZE; i++)
		if (reader->length < TRAILER_SIZE || reader->last[i])
			return expt_refuse(err, -EBADMSG, "the tar archive is truncated");
	return 0;
}

/* Count the member's data, headers and padding as explained. */
static void account_for(struct tar_reader *reader, struct archive_entry *entry)
{
	uint64_t size = (uint64_t)late_archive_entry_size(entry);

	if (__builtin_add_overflow(reader->accounted, size, &reader->accounted) ||
	    __builtin_add_overflow(reader->accounted, LIMITS_PADDING, &reader->accounted))
		reader->accounted = UINT64_MAX;
}

int tar_reader_next(struct tar_reader *reader, struct tar_member *member,
		    struct expt_error *err)
{
	struct archive_entry *entry;
	int rc = late_archive_read_next_header(reader->archive, &entry);

	if (rc == ARCHIVE_EOF) /* a single member has nothing after it */
		return reader->seekable ? 0 : check_end(reader, err);
	if (rc < ARCHIVE_WARN || rc == ARCHIVE_RETRY)
		return fail(reader, err);
	*member = (struct tar_member){
		.name = late_archive_entry_pathname(entry),
		.type = type_of(entry),
		.mode = late_archive_entry_perm(entry) & 07777,
		.mtime = { late_archive_entry_mtime(entry),
			   late_archive_entry_mtime_nsec(entry) },
		.target = late_archive_entry_symlink(entry),
		/* or the offset of zeros before it, after another archive; they are read
		 * again */
		.place = (uint64_t)late_archive_read_header_position(reader->archive),
	};
	if (!member->name)
		return expt_refuse(err, -EBADMSG, "a member of the archive has no name");
	if (late_archive_entry_size(entry) < 0)
		return expt_refuse(err, -EBADMSG, "invalid size of '%s'", member->name);
	if (member->type == TAR_FILE)
		member->size = (uint64_t)late_archive_entry_size(entry);
	if (member->type == TAR_HARD_LINK)
		member->target = late_archive_entry_hardlink(entry);
	account_for(reader, entry);
	return 1;
}

ssize_t tar_reader_data(struct tar_reader *reader, const void **bytes, uint64_t *offset,
			struct expt_error *err)
{
	la_int64_t place;
	size_t length;
	int rc;

	do {
		rc = late_archive_read_data_block(reader->archive, bytes, &length,
						  &place);
		if (rc == ARCHIVE_EOF)
			return 0;
		if (rc < ARCHIVE_WARN)
			return fail(reader, err);
	} while (length == 0);
	*offset = (uint64_t)place;
	return (ssize_t)length;
}

uint64_t tar_reader_consumed(const struct tar_reader *reader)
{
	if (reader->seekable)
		return reader->place;
	return decompressor_consumed(reader->decompressor);
}

uint64_t tar_reader_size(const struct tar_reader *reader)
{
	return decompressor_size(reader->decompressor);
}

int tar_reader_index(char **text, uint64_t *plain_size, const struct tar_reader *reader,
		     size_t max, struct expt_error *err)
{
	return decompressor_index(text, plain_size, reader->decompressor, max, err);
}

/* ---- decompression only ---- */

static int copy_plain(struct tar_reader *reader, int to, uint64_t max,
		      struct expt_error *err)
{
	const void *bytes;
	ssize_t got;
	int rc;

	while ((got = read_more(reader, &bytes)) > 0) {
		if (reader->length > max)
			return expt_refuse(err, -EPERM,
					   "it expands to an implausible size");
		rc = io_write_all(to, bytes, (size_t)got);
		if (rc < 0)
			return expt_fail(err, rc, "cannot write the temporary file");
	}
	return got < 0 ? tar_fail(NULL, &reader->inner, (int)got, err) : 0;
}

int tar_spool(int fd, int to, uint64_t max, const struct tar_reading *how,
	      struct expt_error *err)
{
	struct tar_reader *reader = NULL;
	int rc = new_reader(&reader, fd, how, err);

	if (rc == 0) {
		reader->accounted = UINT64_MAX; /* max is already what the members need */
		rc = copy_plain(reader, to, max, err);
	}
	tar_reader_close(reader);
	return rc;
}
