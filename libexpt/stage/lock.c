/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stage/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/time.h"
#include "libexpt/format.h"

/* The file is removed with each lock, so an opened one may be stale. */
#define TRIES 100

struct lock_name {
	char text[64];
};

static struct lock_name name_of_lock(void)
{
	struct lock_name name;

	snprintf(name.text, sizeof(name.text), CLEANING_PREFIX "%ju" LOCK_SUFFIX,
		 (uintmax_t)geteuid());
	return name;
}

/* Other users may have made a file of this name, or a link to one. */
static bool is_ours(const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_uid == geteuid() &&
	       status->st_nlink <= 1 && (status->st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

static struct timespec time_of(int dir)
{
	struct stat status;

	return fstat(dir, &status) < 0 ? (struct timespec){ 0 } : status.st_mtim;
}

/* Remove the file where files cannot be locked. */
static int fail_to_lock(int fd, int dir, const char *name)
{
	int rc = -errno;

	if (rc != -EWOULDBLOCK && rc != -EINTR && io_has_name(fd, dir, name))
		unlinkat(dir, name, 0);
	return rc;
}

/* Returns 1: locked; 0: another process has removed the file; or a negative errno. */
static int try_to_take(struct lock *lock, int dir)
{
	struct lock_name name = name_of_lock();
	struct timespec before = time_of(dir);
	cleanup_fd int fd = openat(dir, name.text,
				   O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
				   0600);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	if (!is_ours(&status))
		return -EPERM;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return fail_to_lock(fd, dir, name.text);
	if (!io_has_name(fd, dir, name.text))
		return 0;
	*lock = (struct lock){
		.dir = dir,
		.fd = steal_fd(&fd),
		.before = before,
		.after = time_of(dir),
	};
	return 1;
}

int lock_take(struct lock *lock, int dir)
{
	for (int i = 0; i < TRIES; i++) {
		int rc = try_to_take(lock, dir);

		if (rc != 0 && rc != -EINTR)
			return rc < 0 ? rc : 0;
	}
	return -EWOULDBLOCK;
}

static void remove_file(const struct lock *lock, const char *name)
{
	const struct timespec now = time_of(lock->dir);
	const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, lock->before };
	bool is_unchanged = timespec_ns(&now) == timespec_ns(&lock->after);

	if (unlinkat(lock->dir, name, 0) == 0 && is_unchanged)
		futimens(lock->dir, times);
}

void lock_release(struct lock *lock)
{
	struct lock_name name = name_of_lock();

	if (lock->fd < 0)
		return;
	if (io_has_name(lock->fd, lock->dir, name.text))
		remove_file(lock, name.text);
	close(lock->fd);
	*lock = (struct lock)LOCK_INIT;
}
