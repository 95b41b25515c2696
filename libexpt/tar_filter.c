/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/tar_filter.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>

static int set_up(struct archive *archive, enum expt_compression method, int level)
{
	char text[16];
	int rc;

	if (method == EXPT_COMPRESSION_GZIP) {
		rc = archive_write_add_filter_gzip(archive);
		/* without the time of compression */
		if (rc == ARCHIVE_OK)
			rc = archive_write_set_filter_option(archive, "gzip", "timestamp",
							     NULL);
	} else {
		rc = archive_write_add_filter_xz(archive);
	}
	snprintf(text, sizeof text, "%d", level);
	if (rc == ARCHIVE_OK && level > 0)
		rc = archive_write_set_filter_option(archive, NULL, "compression-level",
						     text);
	return rc == ARCHIVE_OK ? archive_write_set_format_raw(archive) : rc;
}

/* libarchive's "raw" archive is one file without any headers. */
static int write_raw(struct archive *archive, const void *bytes, size_t length,
		     void *packed, size_t *packed_size)
{
	struct archive_entry *entry = archive_entry_new();
	size_t room = *packed_size;
	int rc = ARCHIVE_FATAL;

	if (!entry)
		return rc;
	archive_entry_set_filetype(entry, AE_IFREG);
	if (archive_write_open_memory(archive, packed, room, packed_size) == ARCHIVE_OK &&
	    archive_write_header(archive, entry) == ARCHIVE_OK &&
	    archive_write_data(archive, bytes, length) == (la_ssize_t)length)
		rc = archive_write_close(archive);
	archive_entry_free(entry);
	return rc;
}

int tar_filter(enum expt_compression method, int level, const void *bytes, size_t length,
	       void *packed, size_t *packed_size)
{
	struct archive *archive = archive_write_new();
	int rc;

	if (!archive)
		return -ENOMEM;
	rc = set_up(archive, method, level);
	if (rc != ARCHIVE_OK)
		rc = -ENOTSUP;
	else if (write_raw(archive, bytes, length, packed, packed_size) != ARCHIVE_OK)
		rc = -ENOMEM;
	archive_write_free(archive);
	return rc;
}
