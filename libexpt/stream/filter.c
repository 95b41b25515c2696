/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stream/filter.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>

#include "libexpt/base/late.h"
#include "libexpt/common/error.h"

/* clang-format off */
#define FUNCTIONS(F) \
	F(archive_entry_free) F(archive_entry_new) F(archive_entry_set_filetype) \
	F(archive_write_add_filter_gzip) F(archive_write_add_filter_xz) \
	F(archive_write_close) F(archive_write_data) F(archive_write_free) \
	F(archive_write_header) F(archive_write_new) F(archive_write_open_memory) \
	F(archive_write_set_filter_option) F(archive_write_set_format_raw)
/* clang-format on */
FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library libarchive = LATE_LIBRARY(LATE_LIBARCHIVE, functions);

static int set_up(struct archive *archive, enum expt_compression method, int level)
{
	char text[16];
	int rc;

	if (method == EXPT_COMPRESSION_GZIP) {
		rc = late_archive_write_add_filter_gzip(archive);
		/* no time of compression */
		if (rc == ARCHIVE_OK)
			rc = late_archive_write_set_filter_option(archive, "gzip",
								  "timestamp", NULL);
	} else {
		rc = late_archive_write_add_filter_xz(archive);
	}
	snprintf(text, sizeof(text), "%d", level);
	if (rc == ARCHIVE_OK && level > 0)
		rc = late_archive_write_set_filter_option(archive, NULL,
							  "compression-level", text);
	return rc == ARCHIVE_OK ? late_archive_write_set_format_raw(archive) : rc;
}

/* libarchive's "raw" archive is one file without any headers. */
static int write_raw(struct archive *archive, const void *bytes, size_t length,
		     void *packed, size_t *packed_size)
{
	struct archive_entry *entry = late_archive_entry_new();
	size_t room = *packed_size;
	int rc = ARCHIVE_FATAL;

	if (!entry)
		return rc;
	late_archive_entry_set_filetype(entry, AE_IFREG);
	if (late_archive_write_open_memory(archive, packed, room, packed_size) ==
		    ARCHIVE_OK &&
	    late_archive_write_header(archive, entry) == ARCHIVE_OK &&
	    late_archive_write_data(archive, bytes, length) == (la_ssize_t)length)
		rc = late_archive_write_close(archive);
	late_archive_entry_free(entry);
	return rc;
}

int tar_filter(enum expt_compression method, int level, const void *bytes, size_t length,
	       void *packed, size_t *packed_size)
{
	struct archive *archive;
	int rc = expt_load(&libarchive, NULL);

	if (rc < 0)
		return rc;
	archive = late_archive_write_new();
	if (!archive)
		return -ENOMEM;
	rc = set_up(archive, method, level);
	if (rc != ARCHIVE_OK)
		rc = -ENOTSUP;
	else if (write_raw(archive, bytes, length, packed, packed_size) != ARCHIVE_OK)
		rc = -ENOMEM;
	late_archive_write_free(archive);
	return rc;
}
