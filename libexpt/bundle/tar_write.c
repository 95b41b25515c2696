/* SPDX-License-Identifier: Apache-2.0 */
/* libarchive is used for the tar format only, with our own zstd below it, and never for
 * files on disk. */
#include "libexpt/bundle/tar.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "libexpt/base/late.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/bundle/index.h"
#include "libexpt/common/error.h"
#include "libexpt/stream/tar_fail.h"

/* clang-format off */
#define FUNCTIONS(F) \
	F(archive_entry_clear) F(archive_entry_copy_pathname) \
	F(archive_entry_copy_symlink) F(archive_entry_free) F(archive_entry_new) \
	F(archive_entry_set_filetype) F(archive_entry_set_mtime) \
	F(archive_entry_set_perm) F(archive_entry_set_size) F(archive_error_string) \
	F(archive_set_error) F(archive_write_close) F(archive_write_data) \
	F(archive_write_finish_entry) F(archive_write_free) F(archive_write_header) \
	F(archive_write_new) F(archive_write_open) \
	F(archive_write_set_bytes_per_block) F(archive_write_set_format_pax)
/* clang-format on */
FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library libarchive = LATE_LIBRARY(LATE_LIBARCHIVE, functions);

#define PASSED_BY 65536 /* members up to this size are cheap to skip */

struct tar_writer {
	struct archive *archive;
	struct archive_entry *entry;
	struct compressor *compressor;
	struct expt_error inner;
	struct strbuf index;
	struct strbuf name, target; /* of the member being written */
	struct tar_member member;
	bool is_inside;	 /* a member has been begun */
	bool is_closing; /* discard further output */
};

static int fail(struct tar_writer *writer, struct expt_error *err)
{
	return tar_fail(late_archive_error_string(writer->archive), &writer->inner, -EIO,
			err);
}

static la_ssize_t write_bytes(struct archive *archive, void *context, const void *bytes,
			      size_t length)
{
	struct tar_writer *writer = context;
	int rc = -ECANCELED;

	if (!writer->is_closing)
		rc = compressor_write(writer->compressor, bytes, length, &writer->inner);
	if (rc == 0)
		return (la_ssize_t)length;
	late_archive_set_error(archive, -rc, "%s", writer->inner.message);
	return -1;
}

static int open_archive(struct tar_writer *writer)
{
	struct archive *archive = writer->archive = late_archive_write_new();

	writer->entry = late_archive_entry_new();
	if (!archive || !writer->entry)
		return -ENOMEM;
	if (late_archive_write_set_format_pax(archive) != ARCHIVE_OK ||
	    late_archive_write_set_bytes_per_block(archive, 0) != ARCHIVE_OK)
		return -ENOTSUP;
	return late_archive_write_open(archive, writer, NULL, write_bytes, NULL) ==
			       ARCHIVE_OK
		       ? 0
		       : -ENOTSUP;
}

int tar_writer_open(struct tar_writer **out, struct compressor *compressor,
		    struct expt_error *err)
{
	struct tar_writer *writer;
	int rc = expt_load(&libarchive, err);

	if (rc < 0)
		return rc;
	writer = calloc(1, sizeof(*writer));
	if (!writer)
		return expt_fail(err, -ENOMEM, "cannot write tar");
	writer->compressor = compressor;
	rc = open_archive(writer);
	if (rc < 0) {
		tar_writer_close(writer);
		return expt_fail(err, rc, "cannot write tar");
	}
	*out = writer;
	return 0;
}

/* Complete the member and add it to the index. */
static int end_member(struct tar_writer *writer, struct expt_error *err)
{
	struct tar_member *member = &writer->member;

	if (!writer->is_inside)
		return 0;
	writer->is_inside = false;
	if (late_archive_write_finish_entry(writer->archive) < ARCHIVE_WARN)
		return fail(writer, err);
	member->name = strbuf_text(&writer->name);
	if (member->target)
		member->target = strbuf_text(&writer->target);
	member->span = compressor_taken(writer->compressor) - member->place;
	bundle_index_add(&writer->index, member);
	return writer->index.failed || writer->name.failed || writer->target.failed
		       ? expt_fail(err, -ENOMEM, "cannot write tar")
		       : 0;
}

int tar_writer_cut(struct tar_writer *writer, uint64_t next_size, struct expt_error *err)
{
	int rc = end_member(writer, err);

	return rc < 0 ? rc
		      : compressor_cut(writer->compressor,
				       next_size > TAR_SMALL_FILE
					       ? COMPRESS_FRAME_MIN
					       : COMPRESS_FRAME_MIN_SMALL,
				       err);
}

static void begin_member(struct tar_writer *writer, const struct tar_member *member)
{
	writer->is_inside = true;
	writer->member = *member;
	writer->member.place = compressor_taken(writer->compressor);
	strbuf_clear(&writer->name);
	strbuf_add_text(&writer->name, member->name);
	strbuf_clear(&writer->target);
	strbuf_add_text(&writer->target, member->target ? member->target : "");
}

int tar_writer_member(struct tar_writer *writer, const struct tar_member *member,
		      struct expt_error *err)
{
	struct archive_entry *entry = late_archive_entry_clear(writer->entry);
	int rc = member->size > PASSED_BY ? tar_writer_cut(writer, member->size, err)
					  : end_member(writer, err);

	if (rc < 0)
		return rc;
	begin_member(writer, member);

	late_archive_entry_copy_pathname(entry, member->name);
	late_archive_entry_set_filetype(entry, member->type == TAR_DIRECTORY ? AE_IFDIR
					       : member->type == TAR_LINK    ? AE_IFLNK
									     : AE_IFREG);
	late_archive_entry_set_perm(entry, member->mode & 0777);
	late_archive_entry_set_mtime(entry, member->mtime.tv_sec, member->mtime.tv_nsec);
	late_archive_entry_set_size(entry, (la_int64_t)member->size);
	if (member->target)
		late_archive_entry_copy_symlink(entry, member->target);
	if (late_archive_write_header(writer->archive, entry) < ARCHIVE_WARN) {
		rc = fail(writer, err);
		return expt_fail_in(err, rc, "'%s'", member->name);
	}
	return 0;
}

int tar_writer_data(struct tar_writer *writer, const void *bytes, size_t length,
		    struct expt_error *err)
{
	la_ssize_t written = late_archive_write_data(writer->archive, bytes, length);

	return written == (la_ssize_t)length ? 0 : fail(writer, err);
}

int tar_writer_finish(struct tar_writer *writer, struct expt_error *err)
{
	int rc = end_member(writer, err);

	if (rc < 0)
		return rc;
	compressor_set_index(writer->compressor, strbuf_text(&writer->index),
			     writer->index.length);
	if (late_archive_write_close(writer->archive) != ARCHIVE_OK)
		return fail(writer, err);
	return 0;
}

void tar_writer_close(struct tar_writer *writer)
{
	if (!writer)
		return;
	/* libarchive pads an unfinished member, however large, until a write fails. */
	writer->is_closing = true;
	late_archive_write_free(writer->archive);
	late_archive_entry_free(writer->entry);
	strbuf_release(&writer->index);
	strbuf_release(&writer->name);
	strbuf_release(&writer->target);
	free(writer);
}
