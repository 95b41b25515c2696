/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/error.h"
#include "libexpt/tree.h"

static const char *parent(void)
{
	const char *directory = getenv("TMPDIR");

	return directory && *directory ? directory : "/tmp";
}

static int name_template(char *path, size_t size, struct expt_error *err)
{
	if ((size_t)snprintf(path, size, "%s/erkit.XXXXXX", parent()) < size)
		return 0;
	return expt_fail(err, -ENAMETOOLONG, "cannot use the directory '%.60s...'",
			 parent());
}

/* Where the file system makes none without a name, it loses it at once. */
static int open_and_unlink(struct expt_error *err)
{
	char path[4096];
	int fd, rc = name_template(path, sizeof path, err);

	if (rc < 0)
		return rc;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return expt_fail(err, -errno, "cannot make a temporary file in '%s'",
				 parent());
	unlink(path);
	return fd;
}

int scratch_file(struct expt_error *err)
{
	int fd = open(parent(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT))
		return open_and_unlink(err);
	return fd < 0 ? expt_fail(err, -errno, "cannot make a temporary file in '%s'",
				  parent())
		      : fd;
}

int scratch_open(struct scratch *scratch, struct expt_error *err)
{
	int rc = name_template(scratch->path, sizeof scratch->path, err);

	scratch->dir = -1;
	if (rc < 0)
		return rc;
	if (!mkdtemp(scratch->path))
		return expt_fail(err, -errno, "cannot make a directory in '%s'", parent());
	scratch->dir = open(scratch->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (scratch->dir >= 0)
		return 0;
	rc = expt_fail(err, -errno, "cannot open '%s'", scratch->path);
	rmdir(scratch->path);
	return rc;
}

void scratch_remove(struct scratch *scratch)
{
	if (scratch->dir < 0)
		return;
	tree_unlink(scratch->dir, NULL, NULL);
	close(scratch->dir);
	rmdir(scratch->path);
	scratch->dir = -1;
}
