/* SPDX-License-Identifier: Apache-2.0 */
/* libarchive's "raw" archive is one file without any headers: the output of its
 * filters. */
#include "libexpt/stream/unfilter.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/late.h"
#include "libexpt/common/error.h"
#include "libexpt/stream/tar_fail.h"

/* clang-format off */
#define FUNCTIONS(F) \
	F(archive_error_string) F(archive_filter_bytes) F(archive_filter_count) \
	F(archive_read_data_block) F(archive_read_free) F(archive_read_new) \
	F(archive_read_next_header) F(archive_read_open) \
	F(archive_read_support_filter_bzip2) F(archive_read_support_filter_gzip) \
	F(archive_read_support_filter_xz) F(archive_read_support_format_raw) \
	F(archive_set_error)
/* clang-format on */
FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library libarchive = LATE_LIBRARY(LATE_LIBARCHIVE, functions);

struct unfilter {
	struct archive *archive;
	struct decompressor *from;
	uint64_t taken; /* bytes read from the input */
	struct expt_error inner;
};

static int fail(struct unfilter *unfilter, struct expt_error *err)
{
	return tar_fail(late_archive_error_string(unfilter->archive), &unfilter->inner,
			-EBADMSG, err);
}

static la_ssize_t read_packed(struct archive *archive, void *context, const void **bytes)
{
	struct unfilter *unfilter = context;
	ssize_t got = decompressor_read(unfilter->from, bytes, &unfilter->inner);

	if (got < 0) {
		late_archive_set_error(archive, (int)-got, "%s", unfilter->inner.message);
		return -1;
	}
	unfilter->taken += (uint64_t)got;
	return got;
}

/* Add only filters that libarchive implements: for others it would run an external
 * program. */
static void add_filters(struct archive *archive)
{
	int (*const filters[])(struct archive *) = {
		late_archive_read_support_filter_gzip,
		late_archive_read_support_filter_bzip2,
		late_archive_read_support_filter_xz,
	};
	struct archive *probe;

	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		probe = late_archive_read_new();
		if (probe && filters[i](probe) == ARCHIVE_OK)
			filters[i](archive);
		late_archive_read_free(probe);
	}
}

/* Allow one filter, and libarchive's own for none. Data between two would not be counted
 * here. */
static int check_filters(const struct unfilter *unfilter, struct expt_error *err)
{
	if (late_archive_filter_count(unfilter->archive) <= 2)
		return 0;
	return expt_refuse(err, -EPERM, "it was compressed more than once");
}

static int open_raw(struct unfilter *unfilter, struct expt_error *err)
{
	struct archive_entry *entry;
	int rc = expt_load(&libarchive, err);

	if (rc < 0)
		return rc;
	unfilter->archive = late_archive_read_new();
	if (!unfilter->archive)
		return expt_fail(err, -ENOMEM, "cannot decompress");
	add_filters(unfilter->archive);
	if (late_archive_read_support_format_raw(unfilter->archive) != ARCHIVE_OK ||
	    late_archive_read_open(unfilter->archive, unfilter, NULL, read_packed,
				   NULL) != ARCHIVE_OK)
		return fail(unfilter, err);
	rc = check_filters(unfilter, err);
	if (rc == 0 &&
	    late_archive_read_next_header(unfilter->archive, &entry) < ARCHIVE_WARN)
		rc = fail(unfilter, err);
	return rc;
}

int unfilter_open(struct unfilter **out, struct decompressor *from,
		  struct expt_error *err)
{
	struct unfilter *unfilter = calloc(1, sizeof(*unfilter));
	int rc;

	if (!unfilter)
		return expt_fail(err, -ENOMEM, "cannot decompress");
	unfilter->from = from;
	rc = open_raw(unfilter, err);
	if (rc < 0) {
		unfilter_close(unfilter);
		return rc;
	}
	*out = unfilter;
	return 0;
}

void unfilter_close(struct unfilter *unfilter)
{
	if (!unfilter)
		return;
	if (unfilter->archive)
		late_archive_read_free(unfilter->archive);
	free(unfilter);
}

bool unfilter_is_packed(const struct unfilter *unfilter)
{
	return late_archive_filter_count(unfilter->archive) > 1;
}

/* gzip and xz mark their own end, and libarchive stops there whatever follows. */
static int check_rest(struct unfilter *unfilter, struct expt_error *err)
{
	la_int64_t used = late_archive_filter_bytes(unfilter->archive, -1);
	const void *bytes;
	ssize_t got = decompressor_read(unfilter->from, &bytes, err);

	if (got < 0)
		return (int)got;
	unfilter->taken += (uint64_t)got;
	if (used < 0 || (uint64_t)used >= unfilter->taken)
		return 0;
	return expt_refuse(err, -EBADMSG,
			   "unexpected data after the compressed archive, at byte %lld",
			   (long long)used);
}

ssize_t unfilter_read(struct unfilter *unfilter, const void **bytes,
		      struct expt_error *err)
{
	la_int64_t place;
	size_t length;
	int rc;

	do {
		rc = late_archive_read_data_block(unfilter->archive, bytes, &length,
						  &place);
		if (rc == ARCHIVE_EOF)
			return unfilter_is_packed(unfilter) ? check_rest(unfilter, err)
							    : 0;
		if (rc < ARCHIVE_WARN)
			return fail(unfilter, err);
	} while (length == 0);
	return (ssize_t)length;
}
