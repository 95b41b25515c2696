/* SPDX-License-Identifier: Apache-2.0 */
/* Files in TMPDIR are used by descriptor, because others may be able to rename and remove
 * names there. */
#include "libexpt/stage/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/random.h"
#include "libexpt/common/error.h"
#include "libexpt/tree/remove.h"
#include "libexpt/tree/tree.h"

#define TRIES 100

static const char *parent(void)
{
	const char *directory = getenv("TMPDIR");

	return directory && *directory ? directory : "/tmp";
}

static int fail(int code, const char *what, struct expt_error *err)
{
	return expt_fail(err, code, "cannot create a %s in '%s'", what, parent());
}

static int open_parent(const char *what, struct expt_error *err)
{
	int fd = open(parent(), O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? fail(-errno, what, err) : fd;
}

static void choose_name(char name[SCRATCH_NAME_SIZE])
{
	snprintf(name, SCRATCH_NAME_SIZE, "erkit.%016" PRIx64, random_number());
}

/* For file systems without nameless files: the name is removed immediately. */
static int open_and_unlink(int dir)
{
	char name[SCRATCH_NAME_SIZE];
	int fd = -1;

	errno = EEXIST;
	for (int i = 0; i < TRIES && fd < 0 && errno == EEXIST; i++) {
		choose_name(name);
		fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	}
	if (fd < 0)
		return -errno;
	unlinkat(dir, name, 0);
	return fd;
}

int scratch_file(struct expt_error *err)
{
	cleanup_fd int dir = open_parent("temporary file", err);
	int fd;

	if (dir < 0)
		return dir;
	fd = openat(dir, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT
			     ? open_and_unlink(dir)
			     : -errno;
	return fd < 0 ? fail(fd, "temporary file", err) : fd;
}

/* The entry in /proc leads to the directory even if its name is reused. */
static void set_path(struct scratch *scratch)
{
	snprintf(scratch->path, sizeof(scratch->path), "/proc/self/fd/%d", scratch->dir);
	if (access(scratch->path, F_OK) < 0)
		snprintf(scratch->path, sizeof(scratch->path), "%s/%s", parent(),
			 scratch->name);
}

int scratch_open(struct scratch *scratch, struct expt_error *err)
{
	cleanup_fd int dir = open_parent("directory", err);
	int made = -EEXIST;

	if (dir < 0)
		return dir;
	for (int i = 0; i < TRIES && made == -EEXIST; i++) {
		choose_name(scratch->name);
		made = io_new_directory(dir, scratch->name, 0700);
	}
	if (made < 0)
		return fail(made, "directory", err);
	scratch->dir = made;
	scratch->parent = steal_fd(&dir);
	set_path(scratch);
	return 0;
}

void scratch_remove(struct scratch *scratch)
{
	if (scratch->dir < 0)
		return;
	tree_unlink(scratch->dir, NULL, NULL);
	if (io_has_name(scratch->dir, scratch->parent, scratch->name))
		unlinkat(scratch->parent, scratch->name, AT_REMOVEDIR);
	close(scratch->dir);
	close(scratch->parent);
	*scratch = (struct scratch)SCRATCH_INIT;
}
