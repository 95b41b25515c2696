/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stream/zip_member.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/late.h"
#include "libexpt/common/error.h"

#define BLOCK_SIZE 65536

/* clang-format off */
#define FUNCTIONS(F) \
	F(archive_entry_pathname) F(archive_entry_size) F(archive_entry_size_is_set) \
	F(archive_error_string) F(archive_read_data) F(archive_read_free) \
	F(archive_read_new) F(archive_read_next_header) F(archive_read_open_fd) \
	F(archive_read_support_format_zip_seekable)
/* clang-format on */
FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library libarchive = LATE_LIBRARY(LATE_LIBARCHIVE, functions);

static int fail(struct archive *archive, struct expt_error *err)
{
	const char *reason = late_archive_error_string(archive);

	return expt_refuse(err, -EBADMSG, "%s", reason ? reason : "not a zip file");
}

/* One byte more than the member may have shows that it is longer than it says. */
static int read_bytes(unsigned char **bytes, size_t *size, struct archive *archive,
		      size_t room, struct expt_error *err)
{
	cleanup_free unsigned char *text = malloc(room + 1);
	la_ssize_t got = 1;

	*size = 0;
	if (!text)
		return -ENOMEM;
	while (*size <= room && (got = late_archive_read_data(archive, text + *size,
							      room + 1 - *size)) > 0)
		*size += (size_t)got;
	if (got < 0)
		return fail(archive, err);
	if (*size > room)
		return -EFBIG;
	*bytes = steal(&text);
	return 0;
}

static int read_member(struct archive *archive, struct archive_entry *entry,
		       const struct zip_reader *reader, struct expt_error *err)
{
	const char *name = late_archive_entry_pathname(entry);
	int64_t said = late_archive_entry_size_is_set(entry)
			       ? late_archive_entry_size(entry)
			       : (int64_t)reader->max;
	unsigned char *bytes = NULL;
	size_t size = 0;
	int rc;

	if (said < 0 || (uint64_t)said > reader->max)
		return expt_fail(err, -EFBIG, "cannot read '%s'", name);
	rc = read_bytes(&bytes, &size, archive, (size_t)said, err);
	if (rc == -ENOMEM || rc == -EFBIG)
		return expt_fail(err, rc, "cannot read '%s'", name);
	if (rc == 0)
		reader->take(reader->context, name, bytes, size);
	return rc;
}

static int read_members(struct archive *archive, const struct zip_reader *reader,
			struct expt_error *err)
{
	struct archive_entry *entry;
	int rc, count = 0;

	while ((rc = late_archive_read_next_header(archive, &entry)) == ARCHIVE_OK ||
	       rc == ARCHIVE_WARN) {
		const char *name = late_archive_entry_pathname(entry);

		if (!name || !reader->wants(reader->context, name))
			continue;
		rc = read_member(archive, entry, reader, err);
		if (rc < 0)
			return rc;
		count++;
	}
	return rc == ARCHIVE_EOF ? count : fail(archive, err);
}

int zip_members_read(int fd, const struct zip_reader *reader, struct expt_error *err)
{
	struct archive *archive;
	int rc = expt_load(&libarchive, err);

	if (rc < 0)
		return rc;
	archive = late_archive_read_new();
	if (!archive)
		return expt_fail(err, -ENOMEM, "cannot read a zip file");
	late_archive_read_support_format_zip_seekable(archive);
	rc = late_archive_read_open_fd(archive, fd, BLOCK_SIZE) == ARCHIVE_OK
		     ? read_members(archive, reader, err)
		     : fail(archive, err);
	late_archive_read_free(archive);
	return rc;
}
