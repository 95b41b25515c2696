/* SPDX-License-Identifier: Apache-2.0 */
/* The file has one line: "<process id> <boot id> <host>". A process of another host is
 * never known to be dead. */
#include "libexpt/stage/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"

#define BOOT_ID_FILE "/proc/sys/kernel/random/boot_id"

struct owner {
	int process;
	char boot[40];
	char host[65];
};

static void describe_ourselves(struct owner *owner)
{
	cleanup_fd int fd = open(BOOT_ID_FILE, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : io_read_full(fd, owner->boot, 36);

	owner->boot[length > 0 ? length : 0] = '\0';
	if (length <= 0)
		strcpy(owner->boot, "-");
	if (gethostname(owner->host, sizeof(owner->host)) < 0 || !owner->host[0])
		strcpy(owner->host, "-");
	owner->host[sizeof(owner->host) - 1] = '\0';
	owner->process = getpid();
}

int owner_create(int dir, const char *name)
{
	cleanup_fd int fd = openat(
		dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	struct owner owner;
	char line[128];
	int length, rc;

	if (fd < 0)
		return -errno;
	describe_ourselves(&owner);
	length = snprintf(line, sizeof(line), "%d %s %s\n", owner.process, owner.boot,
			  owner.host);
	rc = io_write_all(fd, line, (size_t)length);
	if (rc < 0)
		unlinkat(dir, name, 0);
	return rc;
}

static bool read_owner(struct owner *owner, int dir, const char *name)
{
	cleanup_fd int fd = io_open_regular(dir, name);
	char line[128];
	ssize_t length;

	if (fd < 0)
		return false;
	length = io_read_full(fd, line, sizeof(line) - 1);
	if (length <= 0)
		return false;
	line[length] = '\0';
	return sscanf(line, "%d %39s %64s", &owner->process, owner->boot, owner->host) ==
		       3 &&
	       owner->process > 0;
}

static bool runs(const struct owner *owner)
{
	return kill(owner->process, 0) == 0 || errno != ESRCH;
}

bool owner_is_alive(int dir, const char *name)
{
	struct owner owner, ours;

	if (!read_owner(&owner, dir, name))
		return false;
	describe_ourselves(&ours);
	if (strcmp(owner.host, ours.host) != 0)
		return true; /* on another host, so it may be alive */
	return strcmp(owner.boot, ours.boot) == 0 && runs(&owner);
}

bool owner_is_dead(int dir, const char *name)
{
	struct owner owner, ours;

	if (!read_owner(&owner, dir, name))
		return false;
	describe_ourselves(&ours);
	if (strcmp(owner.host, ours.host) != 0)
		return false;
	return strcmp(owner.boot, ours.boot) != 0 || !runs(&owner);
}
