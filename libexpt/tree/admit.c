/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/tree/admit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"

static int remember(struct admissions *admissions, int fd, mode_t mode)
{
	struct admission *admission;
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (copy < 0)
		return -errno;
	admission = array_add(admissions);
	if (!admission) {
		close(copy);
		return -ENOMEM;
	}
	*admission = (struct admission){ copy, mode & (mode_t) ~(S_ISUID | S_ISGID) };
	return 0;
}

static int admit(struct admissions *admissions, int fd)
{
	struct stat status;
	int rc = 0;

	if (fstat(fd, &status) < 0)
		return -errno;
	if (status.st_uid != geteuid() || (status.st_mode & S_IRWXU) == S_IRWXU)
		return -EACCES;
	if (admissions)
		rc = remember(admissions, fd, status.st_mode & 07777);
	return rc < 0 ? rc : io_set_mode(fd, (status.st_mode & 01777) | S_IRWXU);
}

int admit_open(struct admissions *admissions, int dir, const char *name)
{
	cleanup_fd int place = -1;
	int rc, fd = io_open_unmounted(dir, name, O_RDONLY | O_DIRECTORY);

	if (fd != -EACCES)
		return fd;
	place = io_open_unmounted(dir, name, O_PATH | O_DIRECTORY);
	if (place < 0)
		return place;
	rc = admit(admissions, place);
	if (rc < 0)
		return rc;
	fd = openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

void admissions_restore(struct admissions *admissions)
{
	for (size_t i = admissions->count; i-- > 0;)
		io_set_mode(admissions->items[i].fd, admissions->items[i].mode);
	admissions_release(admissions);
}

void admissions_release(struct admissions *admissions)
{
	for (size_t i = 0; i < admissions->count; i++)
		close(admissions->items[i].fd);
	array_release(admissions);
}
