/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/bundle/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/format.h"

#define VERIFY_SIZE (256u << 10)
#define HOLE_SIZE   4096u /* aligned zeros of this size become holes */

static const unsigned char zeros[65536];

/* Destination of a member's data, in order and without gaps. */
struct sink {
	struct digest *digest;
	int fd; /* or -1 */
	char *text;
	uint64_t done, size;
};

static bool is_stopped(const struct unpacker *from)
{
	return from->stop && *from->stop;
}

/* Add a hole to the sum, which takes as long as data. */
static int add_zeros(const struct unpacker *from, const char *name, uint64_t length,
		     struct expt_error *err)
{
	while (length > 0) {
		size_t part = length < sizeof(zeros) ? (size_t)length : sizeof(zeros);

		if (is_stopped(from))
			return expt_fail(err, -EINTR, "stopped at '%s'", name);
		digest_add(from->digest, zeros, part);
		length -= part;
	}
	return 0;
}

static bool is_hole(const unsigned char *bytes, size_t length, uint64_t offset)
{
	return length >= HOLE_SIZE && offset % HOLE_SIZE == 0 && bytes[0] == 0 &&
	       memcmp(bytes, zeros, HOLE_SIZE) == 0;
}

/* Returns the number of bytes before the next hole. */
static size_t data_length(const unsigned char *bytes, size_t length, uint64_t offset)
{
	size_t done = 0;

	while (done < length && !is_hole(bytes + done, length - done, offset + done)) {
		size_t part = HOLE_SIZE - (size_t)((offset + done) % HOLE_SIZE);

		done += part < length - done ? part : length - done;
	}
	return done;
}

/* Write all but the holes; with fd -1, only count the bytes. */
static int write_sparsely(int fd, const unsigned char *bytes, size_t length,
			  uint64_t offset, uint64_t *written)
{
	while (length > 0) {
		size_t part = data_length(bytes, length, offset);
		int rc = fd < 0 ? 0 : io_pwrite_all(fd, bytes, part, (off_t)offset);

		if (rc < 0)
			return rc;
		*written += part;
		if (part == 0)
			part = HOLE_SIZE;
		bytes += part;
		length -= part;
		offset += part;
	}
	return 0;
}

static int take(struct sink *sink, const struct unpacker *from, const char *name,
		const void *bytes, size_t length, struct expt_error *err)
{
	uint64_t written = 0;
	int rc;

	digest_add(sink->digest, bytes, length);
	if (sink->text)
		memcpy(sink->text + sink->done, bytes, length);
	rc = write_sparsely(sink->fd, bytes, length, sink->done, &written);
	return rc < 0 ? expt_fail(err, rc, "cannot write '%s'", name)
		      : members_count_data(from->members, name, written, err);
}

/* Read all data of the member. A reader may leave gaps for zeros; check that it goes
 * forward and stays inside the size. */
static int drain(struct sink *sink, const struct unpacker *from, const char *name,
		 struct expt_error *err)
{
	uint64_t offset;
	const void *bytes;
	ssize_t got;
	int rc;

	while ((got = tar_reader_data(from->reader, &bytes, &offset, err)) > 0) {
		if (is_stopped(from))
			return expt_fail(err, -EINTR, "stopped at '%s'", name);
		if (offset < sink->done || offset > sink->size ||
		    (uint64_t)got > sink->size - offset)
			return expt_refuse(err, -EBADMSG,
					   "'%s': data beyond the end of the file", name);
		rc = add_zeros(from, name, offset - sink->done, err);
		if (rc < 0)
			return rc;
		sink->done = offset;
		rc = take(sink, from, name, bytes, (size_t)got, err);
		if (rc < 0)
			return rc;
		sink->done += (uint64_t)got;
	}
	progress_add(from->progress, 1, 0);
	if (got < 0)
		return expt_fail_in(err, (int)got, "'%s'", name);
	return add_zeros(from, name, sink->size - sink->done, err);
}

static int finish_file(int fd, const struct member *member, struct expt_error *err)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, member->mtime };

	if (ftruncate(fd, (off_t)member->size) < 0)
		return expt_fail(err, -errno, "cannot write '%s'", member->name);
	if (futimens(fd, times) < 0)
		return expt_fail(err, -errno, "cannot set the time of '%s'",
				 member->name);
	return 0;
}

int unpack_data(const struct unpacker *from, int fd, struct member *member,
		struct expt_error *err)
{
	struct sink sink = { .digest = from->digest, .fd = fd, .size = member->size };
	int rc = drain(&sink, from, member->name, err);

	if (rc == 0)
		rc = digest_finish(from->digest, member->sum, err);
	if (rc == 0 && fd >= 0)
		rc = finish_file(fd, member, err);
	return rc;
}

int unpack_file(const struct unpacker *from, int dir, struct member *member,
		struct expt_error *err)
{
	cleanup_fd int fd = -1;

	if (dir >= 0) {
		fd = io_open_beneath(dir, member->path, O_WRONLY | O_CREAT | O_EXCL,
				     member->mode);
		if (fd < 0)
			return expt_fail(err, fd, "cannot create '%s'", member->name);
	}
	return unpack_data(from, fd, member, err);
}

/* If the file is too short, reading ends early and the sum differs. */
static int sum_file(unsigned char *sum, const struct unpacker *from, int fd,
		    const struct member *member, struct expt_error *err)
{
	cleanup_free unsigned char *buffer = io_buffer(VERIFY_SIZE);
	ssize_t got;

	if (!buffer)
		return expt_fail(err, -ENOMEM, "cannot verify '%s'", member->name);
	while ((got = io_read_full(fd, buffer, VERIFY_SIZE)) > 0) {
		if (is_stopped(from))
			return expt_fail(err, -EINTR, "stopped at '%s'", member->name);
		digest_add(from->digest, buffer, (size_t)got);
	}
	if (got < 0)
		return expt_fail(err, (int)got, "cannot read '%s'", member->name);
	return digest_finish(from->digest, sum, err);
}

/* Open a file whose mode our umask made unreadable to its owner: grant that permission
 * just for the open. */
static int open_unreadable(int dir, const char *path)
{
	cleanup_fd int file = io_open_beneath(dir, path, O_PATH, 0), fd = -1;
	struct stat status;
	char self[64];
	int rc;

	if (file < 0)
		return file;
	if (fstat(file, &status) < 0)
		return -errno;
	rc = S_ISREG(status.st_mode) ? io_set_mode(file, 0600) : -EINVAL;
	if (rc < 0)
		return rc;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", file);
	fd = open(self, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fchmod(fd, status.st_mode & 07777) < 0)
		return -errno;
	return steal_fd(&fd);
}

static int open_written(int dir, const char *path)
{
	int fd = io_open_regular(dir, path);

	return fd == -EACCES ? open_unreadable(dir, path) : fd;
}

int unpack_verify(const struct unpacker *from, int dir, const struct member *member,
		  struct expt_error *err)
{
	cleanup_fd int fd = open_written(dir, member->path);
	unsigned char sum[DIGEST_SIZE];
	int rc;

	if (fd < 0)
		return expt_fail(err, fd, "cannot open '%s'", member->name);
	/* Drop the page cache, so that synced data is read from the disk. */
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	rc = sum_file(sum, from, fd, member, err);
	if (rc == 0 && memcmp(sum, member->sum, sizeof(sum)) != 0)
		return expt_refuse(
			err, -EBADMSG,
			"'%s': the data on the disk differ from the data written",
			member->name);
	return rc;
}

int unpack_text(char **text, const struct unpacker *from, uint64_t max,
		struct member *member, struct expt_error *err)
{
	cleanup_free char *bytes = NULL;
	struct sink sink = { .digest = from->digest, .fd = -1, .size = member->size };
	int rc;

	if (member->size > max)
		return expt_refuse(err, -EPERM,
				   "refused the member '%s': it is too large",
				   member->name);
	bytes = calloc(1, member->size + 1);
	if (!bytes)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", member->name);
	sink.text = bytes;
	rc = drain(&sink, from, member->name, err);
	if (rc == 0)
		rc = digest_finish(from->digest, member->sum, err);
	if (rc < 0)
		return rc;
	if (strlen(bytes) != member->size)
		return expt_refuse(err, -EPERM, "refused the member '%s': it is not text",
				   member->name);
	*text = steal(&bytes);
	return 0;
}

int unpack_directory(int dir, const struct member *member, struct expt_error *err)
{
	const char *base;
	cleanup_fd int opened = -1;
	int parent = io_parent(dir, member->path, &base, &opened);
	int rc = parent < 0 ? parent : io_make_directory(parent, base, member->mode);

	return rc < 0 ? expt_fail(err, rc, "cannot create '%s'", member->name) : 0;
}

int unpack_link(int dir, const struct member *member, struct expt_error *err)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, member->mtime };
	const char *base;
	cleanup_fd int opened = -1;
	int parent = io_parent(dir, member->path, &base, &opened);

	if (parent < 0)
		return expt_fail(err, parent, "cannot create '%s'", member->name);
	if (symlinkat(member->target, parent, base) < 0 ||
	    utimensat(parent, base, times, AT_SYMLINK_NOFOLLOW) < 0)
		return expt_fail(err, -errno, "cannot create '%s'", member->name);
	return 0;
}

/* The top directory remains a stage until the end, and gets its mode then. */
static int close_directory(int fd, const struct member *member, mode_t allowed)
{
	bool is_normal = member->mode == DIRECTORY_MODE && (allowed & S_IRWXU) == S_IRWXU;

	if (is_normal || !*member->path)
		return 0;
	return fchmod(fd, member->mode & allowed) < 0 ? -errno : 0;
}

int unpack_directory_end(int dir, const struct member *member, mode_t allowed,
			 struct expt_error *err)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, member->mtime };
	const char *path = *member->path ? member->path : ".";
	cleanup_fd int fd = io_open_beneath(dir, path, O_RDONLY | O_DIRECTORY, 0);
	int rc;

	if (fd < 0)
		return expt_fail(err, fd, "cannot set the time of '%s'", member->name);
	if (!member->is_implied && futimens(fd, times) < 0)
		return expt_fail(err, -errno, "cannot set the time of '%s'",
				 member->name);
	rc = close_directory(fd, member, allowed);
	return rc < 0 ? expt_fail(err, rc, "cannot set the mode of '%s'", member->name)
		      : 0;
}
