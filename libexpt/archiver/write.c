/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the copy and the description of a load object into archives/. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/describe.h"
#include "libexpt/archives/name.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"
#include "libexpt/rights/acl.h"
#include "libexpt/stage/temporary.h"

#define STORED_MODE    0555
#define STORED_READERS 0444

/* ---- copying ---- */

static int fail_write(struct expt_error *err, int code, const char *name)
{
	return expt_fail(err, code, "cannot write '%s/%s'", ARCHIVES_DIR, name);
}

/* The holes of a file. It may claim any size, and a copy must not occupy that much. */
struct holes {
	int fd;
	uint64_t size;	    /* of the file, or 0 if it has no holes */
	uint64_t data, end; /* of the next data */
};

static void find_holes(struct holes *holes, int fd)
{
	struct stat status;

	*holes = (struct holes){ .fd = fd };
	if (fstat(fd, &status) == 0 && status.st_blocks < status.st_size / 512)
		holes->size = (uint64_t)status.st_size;
}

/* Returns the length of the hole at the offset, at most count. */
static size_t hole_at(struct holes *holes, uint64_t offset, size_t count)
{
	uint64_t length;

	if (offset >= holes->size)
		return 0;
	if (offset >= holes->end) {
		holes->data = holes->end = holes->size;
		if (io_next_data(holes->fd, offset, holes->size, &holes->data, &length) ==
		    1)
			holes->end = holes->data + length;
	}
	if (offset >= holes->data)
		return 0;
	return holes->data - offset < count ? (size_t)(holes->data - offset) : count;
}

/* Read the next bytes into the buffer. Returns how many: fewer than it has room for only
 * in a hole or at the end. */
static ssize_t read_some(unsigned char *buffer, struct holes *holes, uint64_t offset,
			 bool *is_hole)
{
	size_t hole = hole_at(holes, offset, ARCHIVE_BUFFER);

	*is_hole = hole > 0;
	if (!*is_hole)
		return io_pread_full(holes->fd, buffer, ARCHIVE_BUFFER, (off_t)offset);
	memset(buffer, 0, hole);
	return (ssize_t)hole;
}

/* Every byte passes through the checksum, so copy_file_range(2) would save nothing. to is
 * -1 if only the checksum is wanted. *total is the number of bytes read; *is_unread
 * reports a failed read. */
static int pass_bytes(const struct archiver *archiver, int from, int to,
		      char text[HASH_TEXT_SIZE], uint64_t *total, bool *is_unread)
{
	unsigned char digest[HASH_SIZE];
	struct holes holes;
	struct hash hash;
	bool is_hole;
	ssize_t got;
	int rc = 0;

	hash_init(&hash);
	find_holes(&holes, from);
	*total = 0;
	do {
		got = read_some(archiver->buffer, &holes, *total, &is_hole);
		*is_unread = got < 0;
		if (got < 0)
			return (int)got;
		hash_update(&hash, archiver->buffer, (size_t)got);
		if (to >= 0 && !is_hole)
			rc = io_pwrite_all(to, archiver->buffer, (size_t)got,
					   (off_t)*total);
		*total += (uint64_t)got;
	} while (rc == 0 && (is_hole || got == ARCHIVE_BUFFER));
	if (rc == 0 && to >= 0 && holes.size > 0 && ftruncate(to, (off_t)*total) < 0)
		rc = -errno;
	hash_digest(&hash, digest);
	hash_text(text, digest);
	return rc;
}

int archive_hash(char hash[HASH_TEXT_SIZE], const struct archiver *archiver, int fd)
{
	uint64_t total;
	bool is_unread;

	return pass_bytes(archiver, fd, -1, hash, &total, &is_unread);
}

/* Set the times and the mode: readable by its owner, otherwise only bits in allowed. */
static int set_attributes(int fd, const struct archive_source *source, mode_t allowed)
{
	const struct stat *status = &source->status;
	const struct timespec times[2] = { status->st_atim, status->st_mtim };
	struct stat copy;
	int rc;

	if (fstat(fd, &copy) < 0)
		return -errno;
	rc = acl_set_mode(fd, (origin_copy_mode(&source->origin, copy.st_gid) & allowed) |
				      S_IRUSR);
	return rc == 0 && futimens(fd, times) < 0 ? -errno : rc;
}

static bool is_unchanged(const struct archive_source *source, uint64_t copied)
{
	struct manifest_entry before = { 0 };
	struct stat now;

	manifest_set_file(&before, &source->status);
	return copied == before.size && fstat(source->fd, &now) == 0 &&
	       manifest_is_same_file(&before, &now);
}

/* Returns 1 if the source was read, 0 if it cannot be taken, which has been reported, or
 * the negative errno of a failed write. */
static int judge_reading(struct archiver *archiver, const struct archive_source *source,
			 const struct archive_object *object, int rc, bool is_unread,
			 uint64_t total)
{
	if (is_unread) {
		archive_say(archiver, EXPT_FAILED, object->path, "cannot read it: %s",
			    strerrordesc_np(-rc));
		return 0;
	}
	if (rc == 0 && !is_unchanged(source, total))
		return archive_leave_out(archiver, object, MANIFEST_CHANGED, NULL,
					 "changed while it was copied");
	return rc < 0 ? rc : 1;
}

/* Copy the bytes of the source into the file, which has no name yet. Shared blocks need
 * no checksum to be the same, and an object with a build-id can be identified without
 * one. */
static int fill(struct archiver *archiver, const struct archive_source *source,
		const struct archive_object *object, const struct temporary *file,
		bool needs_hash, char hash[HASH_TEXT_SIZE])
{
	bool is_cloned = io_clone(file->fd, source->fd), is_unread = false;
	uint64_t total = (uint64_t)source->status.st_size;
	int rc = 0;

	*hash = '\0';
	if (!is_cloned || needs_hash || !source->elf || !*elf_build_id(source->elf))
		rc = pass_bytes(archiver, source->fd, is_cloned ? -1 : file->fd, hash,
				&total, &is_unread);
	return judge_reading(archiver, source, object, rc, is_unread, total);
}

/* A copy is never set-id. */
static int write_own(struct archiver *archiver, const struct archive_source *source,
		     const struct archive_object *object, const char *name,
		     char hash[HASH_TEXT_SIZE])
{
	cleanup_access const struct access *writing =
		access_for_writing(&archiver->to.access);
	cleanup_temporary struct temporary file = TEMPORARY_INIT;
	int rc = temporary_open(&file, archiver->to.archives, ARCHIVES_DIR, 0600);

	if (rc == 0)
		rc = fill(archiver, source, object, &file, false, hash);
	if (rc <= 0)
		return rc;
	rc = set_attributes(file.fd, source, 0777);
	if (rc == 0)
		rc = temporary_commit(&file, name);
	return rc < 0 ? rc : 1;
}

/* ---- into a store ---- */

/* Returns true if the store has the content, unharmed and readable for everyone. Links
 * lead only to files that were read. */
static bool is_stored(const struct archiver *archiver, const char *hash)
{
	cleanup_access const struct access *acting =
		access_as_ourselves(&archiver->to.access);
	cleanup_fd int fd = openat(archiver->to.store.dir, hash,
				   O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char found[HASH_TEXT_SIZE];
	struct stat status;

	return fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       (status.st_mode & STORED_READERS) == STORED_READERS &&
	       archive_hash(found, archiver, fd) == 0 && strcmp(found, hash) == 0;
}

/* Shared files are read-only. */
static int write_stored(struct archiver *archiver, const struct archive_source *source,
			const struct archive_object *object, char hash[HASH_TEXT_SIZE])
{
	cleanup_access const struct access *acting =
		access_as_ourselves(&archiver->to.access);
	cleanup_temporary struct temporary file = TEMPORARY_INIT;
	int rc = temporary_open(&file, archiver->to.store.dir, ARCHIVES_DIR, 0600);

	if (rc == 0)
		rc = fill(archiver, source, object, &file, true, hash);
	if (rc <= 0)
		return rc;
	rc = set_attributes(file.fd, source, STORED_MODE);
	if (rc == 0)
		rc = temporary_commit(&file, hash);
	return rc < 0 ? rc : 1;
}

/* Read the file first: most often it has been stored before. */
static int write_link(struct archiver *archiver, const struct archive_source *source,
		      const struct archive_object *object, const char *name,
		      char hash[HASH_TEXT_SIZE])
{
	cleanup_access const struct access *writing = NULL;
	bool is_unread = false;
	uint64_t total;
	int rc = pass_bytes(archiver, source->fd, -1, hash, &total, &is_unread);

	rc = judge_reading(archiver, source, object, rc, is_unread, total);
	if (rc > 0 && !is_stored(archiver, hash))
		rc = write_stored(archiver, source, object, hash);
	if (rc <= 0)
		return rc;
	writing = access_for_writing(&archiver->to.access);
	rc = store_link(&archiver->to.store, archiver->to.archives, name, hash,
			&source->status.st_mtim);
	return rc < 0 ? rc : 1;
}

/* Files of a store serve all users, so everyone must be able to read them. */
static bool is_public(const struct archive_source *source)
{
	return source->origin.readers == ORIGIN_EVERYONE;
}

enum expt_outcome archive_copied(const struct archiver *archiver,
				 const struct archive_source *source)
{
	return archiver->asked.options->store && is_public(source) ? EXPT_LINKED
								   : EXPT_COPIED;
}

int archive_write_copy(struct archiver *archiver, const struct archive_source *source,
		       const struct archive_object *object, char hash[HASH_TEXT_SIZE],
		       struct expt_error *err)
{
	bool is_shared = archiver->to.store.dir >= 0 && is_public(source);
	char name[ARCHIVE_NAME_SIZE];
	int rc;

	if (archiver->to.gather) {
		*hash = '\0';
		rc = archiver->to.gather(archiver, source, object->path);
		return rc < 0 ? expt_fail(err, rc, "cannot archive '%s'", object->path)
			      : 1;
	}
	expt_archive_name(name, archive_kept_path(object));
	rc = is_shared ? write_link(archiver, source, object, name, hash)
		       : write_own(archiver, source, object, name, hash);
	if (rc < 0 && is_shared)
		return expt_fail(err, rc, "cannot store '%s' for '%s/%s'", hash,
				 ARCHIVES_DIR, name);
	if (rc < 0)
		return fail_write(err, rc, name);
	if (rc > 0)
		expt_report_count_file(archiver->asked.options->operation.report,
				       (uint64_t)source->status.st_size);
	return rc;
}

/* ---- describing ---- */

/* Returns the note for a description: as recorded, as far as that is known. The texts
 * are borrowed from object and elf. */
static struct elf_note note_of(const struct archive_object *object, const struct elf *elf,
			       const struct stat *status)
{
	struct elf_note note = {
		.path = object->path,
		.identity = identity_of(elf_build_id(elf), status),
	};

	if (object->identity.has_file) {
		note.identity.size = object->identity.size;
		note.identity.mtime_ns = object->identity.mtime_ns;
	}
	return note;
}

int archive_describe(const struct archiver *archiver, const struct archive_object *object,
		     const struct elf *elf, const struct stat *status,
		     const struct origin *origin, int out, struct expt_error *err)
{
	const struct elf_note note = note_of(object, elf, status);
	const struct describe_judge judge = { archiver->to.access.origins, origin };

	return describe_object(elf, &note, &judge, out, err);
}

static int open_temporary(struct temporary *file, struct stat *status,
			  const struct archiver *archiver)
{
	cleanup_access const struct access *writing =
		access_for_writing(&archiver->to.access);
	int rc = temporary_open(file, archiver->to.archives, ARCHIVES_DIR, 0600);

	return rc == 0 && fstat(file->fd, status) < 0 ? -errno : rc;
}

static void drop_temporary(struct temporary *file, const struct archiver *archiver)
{
	cleanup_access const struct access *writing =
		access_for_writing(&archiver->to.access);

	temporary_release(file);
}

static int commit_description(const struct archiver *archiver, struct temporary *file,
			      mode_t mode, const char *name)
{
	cleanup_access const struct access *writing =
		access_for_writing(&archiver->to.access);
	int rc = acl_set_mode(file->fd, mode);

	if (rc == 0)
		rc = temporary_commit(file, name);
	temporary_release(file);
	return rc;
}

/* An ELF file that cannot be described (-EBADMSG) may still be copied. */
static int write_description(struct archiver *archiver,
			     const struct archive_source *source,
			     const struct archive_object *object, const char *name,
			     struct expt_error *err)
{
	cleanup_temporary struct temporary file = TEMPORARY_INIT;
	struct stat status;
	int rc = open_temporary(&file, &status, archiver);

	if (rc < 0)
		return fail_write(err, rc, name);
	rc = archive_describe(archiver, object, source->elf, &source->status,
			      &source->origin, file.fd, err);
	if (rc < 0) {
		drop_temporary(&file, archiver);
		return expt_fail_in(err, rc, "cannot write '%s/%s'", ARCHIVES_DIR, name);
	}
	rc = commit_description(archiver, &file,
				origin_limit(&source->origin, status.st_gid, FILE_MODE),
				name);
	return rc < 0 ? fail_write(err, rc, name) : 1;
}

int archive_write_description(struct archiver *archiver,
			      const struct archive_source *source,
			      const struct archive_object *object, struct expt_error *err)
{
	char name[ARCHIVE_NAME_SIZE];
	struct expt_error why;
	int rc;

	expt_archive_description_name(name, archive_kept_path(object));
	rc = write_description(archiver, source, object, name, &why);
	if (rc == -EBADMSG && archive_wants_copy(archiver, object)) {
		archive_say(archiver, EXPT_NOTE, object->path, "%s", why.message);
		return 1;
	}
	if (rc == -EBADMSG)
		return archive_leave_out(archiver, object, MANIFEST_REFUSED, source,
					 why.message);
	if (rc < 0 && err)
		*err = why;
	return rc;
}
