/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Appending to group files. Several recorders may append at the same time, gprofng's as
 * well, so it is done under the file's record lock. Apart from reading, so that a
 * recorder needs nothing else.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/group/private.h"

#define LOCK_TRIES    1200 /* two minutes */
#define READER_TRIES  10   /* a second */
#define CREATOR_TRIES 20   /* two seconds */
#define TRY_NS	      100000000

static void wait_a_little(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = TRY_NS }, NULL);
}

/* Any reader of the file can take a read lock, but programs that write groups never do.
 * So such a lock is waited for only briefly: a line is added by a single write anyway. */
static bool is_readers(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_RDLCK;
}

/* Lock the open file, not the process, so that threads exclude each other, too. The lock
 * also conflicts with gprofng's process locks, and ends when the file is closed. */
static int lock_group(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int reader = 0;

	for (int i = 0; i < LOCK_TRIES; i++) {
		if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
			return 0;
		if (errno != EAGAIN && errno != EACCES && errno != EINTR)
			return -errno;
		if (is_readers(fd) && ++reader == READER_TRIES)
			return 0;
		wait_a_little();
	}
	return -EAGAIN;
}

/* Refuse a link, which may lead to an unrelated file, and a device, which may act when it
 * is opened for writing. */
static int open_group(const char *path, int flags)
{
	cleanup_fd int fd = open(
		path, flags | O_RDWR | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC,
		0666);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	return S_ISREG(status.st_mode) ? steal_fd(&fd) : -ELOOP;
}

int group_open_locked(int *out, const char *path, int flags)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		cleanup_fd int fd = open_group(path, flags);
		int rc = fd < 0 ? fd : lock_group(fd);

		if (rc < 0)
			return rc;
		if (io_has_name(fd, AT_FDCWD, path)) { /* unless the group was replaced */
			*out = steal_fd(&fd);
			return 0;
		}
	}
	return -EAGAIN;
}

int group_fail(struct expt_error *err, int code, const char *path)
{
	if (code == -ELOOP)
		return expt_refuse(err, -EINVAL,
				   "'%s' is not a regular file: not changed", path);
	return expt_fail(err, code, "cannot open '%s'", path);
}

/* Open the group, locked. An empty file made by another process will soon be locked and
 * get its first line; that is waited for, but not long. */
static int open_for_adding(int *out, const char *path)
{
	for (int i = 0;; i++) {
		cleanup_fd int fd = -1;
		int rc = group_open_locked(&fd, path, O_APPEND | O_CREAT | O_EXCL);
		bool is_new = rc == 0;
		struct stat status;

		if (rc == -EEXIST)
			rc = group_open_locked(&fd, path, O_APPEND);
		if (rc < 0)
			return rc;
		if (fstat(fd, &status) < 0)
			return -errno;
		if (is_new || status.st_size > 0 || i == CREATOR_TRIES) {
			*out = steal_fd(&fd);
			return 0;
		}
		close(steal_fd(&fd));
		wait_a_little();
	}
}

/* Add what is missing before the new line: the header, or the end of the last line. */
static int add_missing(struct strbuf *line, int fd, off_t end, const char *path,
		       struct expt_error *err)
{
	char head[sizeof(GROUP_HEADER) - 1], last;
	ssize_t size;

	if (end == 0) {
		strbuf_add_text(line, GROUP_HEADER "\n");
		return 0;
	}
	size = io_pread_full(fd, head, sizeof(head), 0);
	if (size < 0)
		return expt_fail(err, (int)size, "cannot read '%s'", path);
	if ((size_t)size < sizeof(head) || memcmp(head, GROUP_HEADER, sizeof(head)) != 0)
		return expt_refuse(
			err, -EBADMSG,
			"'%s' is not an experiment group: it does not begin with '%s'",
			path, GROUP_HEADER);
	size = io_pread_full(fd, &last, 1, end - 1);
	if (size < 0)
		return expt_fail(err, (int)size, "cannot read '%s'", path);
	if (size == 1 && last != '\n')
		strbuf_add_char(line, '\n');
	return 0;
}

int expt_group_add(const char *path, const char *member, struct expt_error *err)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	cleanup_fd int fd = -1;
	off_t end;
	int rc;

	if (!expt_name_is_group(path))
		return expt_refuse(err, -EINVAL,
				   "name of group '%s' does not end in '%s'", path,
				   GROUP_SUFFIX);
	if (!*member || *member == '#' || strchr(member, '\n'))
		return expt_refuse(err, -EINVAL, "'%s' cannot be added to a group",
				   member);
	rc = open_for_adding(&fd, path);
	if (rc < 0)
		return group_fail(err, rc, path);
	end = lseek(fd, 0, SEEK_END);
	if (end < 0)
		return expt_fail(err, -errno, "cannot read '%s'", path);
	rc = add_missing(&line, fd, end, path, err);
	if (rc < 0)
		return rc;
	strbuf_add_text(&line, member);
	strbuf_add_char(&line, '\n');
	if (line.failed)
		return expt_fail(err, -ENOMEM, "cannot write '%s'", path);
	rc = io_write_all(fd, line.text, line.length);
	if (rc == 0)
		return 0;
	if (ftruncate(fd, end) < 0) /* half a line would be read as a member */
		return expt_fail(err, rc, "cannot write '%s' or undo the change", path);
	return expt_fail(err, rc, "cannot write '%s'", path);
}
