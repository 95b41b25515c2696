/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/files/file.h"

#include <errno.h>

#include "collector/base/descriptor.h"
#include "collector/base/system.h"
#include "collector/common/directory_name.h"
#include "collector/files/access.h"
#include "collector/process/process.h"

/* Room for any of our file names in a descendant's directory */
#define PATH_SIZE (DIRECTORY_NAME_SIZE + 64)

static bool is_same(const struct file *file, int fd, struct stat *status)
{
	return sys_fstat(fd, status) == 0 && status->st_dev == file->device &&
	       status->st_ino == file->inode;
}

void file_note(struct file *file, const char *name, int fd)
{
	struct stat status = { 0 };

	sys_fstat(fd, &status);
	file->name = name;
	file->device = status.st_dev;
	file->inode = status.st_ino;
	atomic_store(&file->held, -1);
	atomic_store(&file->is_there, true);
}

static int open_in(int founder, const char *name, bool is_hidden)
{
	char buffer[PATH_SIZE];
	struct text path = TEXT_ON(buffer);

	directory_name_add_file(&path, process.lineage, name, is_hidden);
	return sys_openat(founder, path.start,
			  O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
}

/* Another thread may just be renaming the directory from its hidden name. */
static int open_again(int founder, const struct file *file)
{
	int fd = open_in(founder, file->name, false);

	if (fd == -ENOENT && !collector_is_founder())
		fd = open_in(founder, file->name, true);
	return fd == -ENOENT ? open_in(founder, file->name, false) : fd;
}

struct request {
	const struct file *file;
	file_work *work;
	void *argument;
};

static long serve(int founder, void *data)
{
	const struct request *request = data;
	int fd = open_again(founder, request->file);
	struct stat status;
	long rc = -EBADF;

	if (fd < 0)
		return fd == -ENOENT ? -EBADF : fd;
	if (is_same(request->file, fd, &status))
		rc = request->work(fd, &status, request->argument);
	sys_close(fd);
	return rc;
}

/* The program may have closed a held descriptor and opened a file of its own under that
 * number. */
long file_run(const struct file *file, file_work *work, void *argument)
{
	struct request request = { file, work, argument };
	int held = atomic_load(&file->held);
	struct stat status;

	if (held >= 0 && is_same(file, held, &status))
		return work(held, &status, argument);
	return access_run(serve, &request);
}

static long keep(int fd, const struct stat *status, void *argument)
{
	(void)status;
	(void)argument;
	return access_is_apart() ? -EMFILE : sys_fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

void file_hold(struct file *file)
{
	long fd = -1;

	if (atomic_load(&file->is_there) && atomic_load(&file->held) < 0)
		fd = file_run(file, keep, NULL);
	if (fd >= 0)
		atomic_store(&file->held, descriptor_move_high((int)fd));
}

void file_forget(struct file *file)
{
	int held = atomic_exchange(&file->held, -1);
	struct stat status;

	atomic_store(&file->is_there, false);
	if (held >= 0 && is_same(file, held, &status))
		sys_close(held);
}
