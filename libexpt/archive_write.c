/* SPDX-License-Identifier: Apache-2.0 */
/* What is written into archives/ of one load object: its copy, and its description. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archive.h"
#include "libexpt/archive_name.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/time.h"
#include "libexpt/error.h"
#include "libexpt/format.h"
#include "libexpt/report.h"
#include "libexpt/temporary.h"

/* ---- copying ---- */

static int fail_write(struct expt_error *err, int code, const char *name)
{
	return expt_fail(err, code, "cannot write '%s/%s'", ARCHIVES_DIR, name);
}

/* Every byte passes through the checksum, so copy_file_range(2) would save nothing. to is -1 where
 * only the checksum is wanted. *total is what was read; *is_unread tells a failed read. */
static int pass_bytes(const struct archiver *archiver, int from, int to,
		      char text[HASH_TEXT_SIZE], uint64_t *total, bool *is_unread)
{
	unsigned char digest[HASH_SIZE];
	struct hash hash;

	hash_init(&hash);
	*total = 0;
	for (;;) {
		ssize_t got = io_pread_full(from, archiver->buffer, ARCHIVE_BUFFER,
					    (off_t)*total);
		int rc = 0;

		*is_unread = got < 0;
		if (got < 0)
			return (int)got;
		hash_update(&hash, archiver->buffer, (size_t)got);
		if (to >= 0)
			rc = io_pwrite_all(to, archiver->buffer, (size_t)got,
					   (off_t)*total);
		if (rc < 0)
			return rc;
		*total += (uint64_t)got;
		if (got < ARCHIVE_BUFFER)
			break;
	}
	hash_digest(&hash, digest);
	hash_text(text, digest);
	return 0;
}

int archive_hash(char hash[HASH_TEXT_SIZE], const struct archiver *archiver, int fd)
{
	uint64_t total;
	bool is_unread;

	return pass_bytes(archiver, fd, -1, hash, &total, &is_unread);
}

/* Readable by its owner, and by no means set-id. */
static int set_attributes(int fd, const struct stat *status)
{
	const struct timespec times[2] = { status->st_atim, status->st_mtim };

	if (fchmod(fd, (status->st_mode & 0777) | S_IRUSR) < 0 || futimens(fd, times) < 0)
		return -errno;
	return 0;
}

static bool is_unchanged(const struct archive_source *source, uint64_t copied)
{
	struct manifest_entry before = { 0 };
	struct stat now;

	manifest_set_file(&before, &source->status);
	return copied == before.size && fstat(source->fd, &now) == 0 &&
	       manifest_is_same_file(&before, &now);
}

int archive_write_copy(struct archiver *archiver, const struct archive_source *source,
		       const struct archive_object *object, char hash[HASH_TEXT_SIZE],
		       struct expt_error *err)
{
	cleanup_temporary struct temporary file = TEMPORARY_INIT;
	char name[ARCHIVE_NAME_SIZE];
	bool is_cloned, is_unread = false;
	uint64_t total;
	int rc;

	expt_archive_name(name, object->path);
	rc = temporary_open(&file, archiver->archives);
	if (rc < 0)
		return fail_write(err, rc, name);
	is_cloned = io_clone(file.fd, source->fd);
	rc = pass_bytes(archiver, source->fd, is_cloned ? -1 : file.fd, hash, &total,
			&is_unread);
	if (is_unread) {
		archive_say(archiver, EXPT_FAILED, object->path, "cannot read it: %s",
			    strerrordesc_np(-rc));
		return 0;
	}
	if (rc == 0 && !is_unchanged(source, total))
		return archive_leave_out(archiver, object, EXPT_CHANGED, NULL,
					 "modified while it was copied");
	if (rc == 0)
		rc = set_attributes(file.fd, &source->status);
	if (rc == 0)
		rc = temporary_commit(&file, name);
	if (rc < 0)
		return fail_write(err, rc, name);
	expt_report_count_file(archiver->options->report, total);
	return 1;
}

/* ---- describing ---- */

struct elf_identity archive_identity(const struct archive_object *object,
				     const struct elf *elf, const struct stat *status)
{
	return (struct elf_identity){
		.path = object->path,
		.size = object->has_identity ? object->size : (uint64_t)status->st_size,
		.mtime_ns = object->has_identity ? object->mtime_ns
						 : timespec_ns(&status->st_mtim),
		.build_id = elf_build_id(elf),
	};
}

/* An ELF file that cannot be described, -EBADMSG, may well be copied. */
static int write_description(struct archiver *archiver, const struct archive_source *source,
			     const struct archive_object *object, const char *name,
			     struct expt_error *err)
{
	cleanup_temporary struct temporary file = TEMPORARY_INIT;
	struct elf_identity identity =
		archive_identity(object, source->elf, &source->status);
	int rc = temporary_open(&file, archiver->archives);

	if (rc < 0)
		return fail_write(err, rc, name);
	rc = elf_describe(source->elf, &identity, file.fd, err);
	if (rc < 0)
		return expt_fail_in(err, rc, "cannot write '%s/%s'", ARCHIVES_DIR, name);
	if (fchmod(file.fd, FILE_MODE) < 0)
		rc = -errno;
	if (rc == 0)
		rc = temporary_commit(&file, name);
	return rc < 0 ? fail_write(err, rc, name) : 1;
}

int archive_write_description(struct archiver *archiver,
			      const struct archive_source *source,
			      const struct archive_object *object, struct expt_error *err)
{
	char name[ARCHIVE_NAME_SIZE];
	struct expt_error why;
	int rc;

	expt_archive_description_name(name, object->path);
	rc = write_description(archiver, source, object, name, &why);
	if (rc == -EBADMSG && archive_wants_copy(archiver, object)) {
		archive_say(archiver, EXPT_NOTE, object->path, "%s", why.message);
		return 1;
	}
	if (rc == -EBADMSG)
		return archive_leave_out(archiver, object, EXPT_REFUSED, &source->status,
					 why.message);
	if (rc < 0 && err)
		*err = why;
	return rc;
}
