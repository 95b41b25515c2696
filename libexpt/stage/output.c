/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stage/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/rights/acl.h"
#include "libexpt/stage/commit.h"
#include "libexpt/stage/rename.h"
#include "libexpt/stage/stage.h"

#define OUTPUT_MODE 0666 /* before the umask */
#define SELF_SIZE   64

static int check_final(const struct output *output, const char *path, bool replace,
		       struct expt_error *err)
{
	struct stat status;

	if (fstatat(output->file.dir, output->final, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			       ? 0
			       : expt_fail(err, -errno, "cannot access '%s'", path);
	if (!replace)
		return expt_fail(err, -EEXIST, "cannot create '%s'", path);
	if (!S_ISREG(status.st_mode))
		return expt_refuse(err, -EINVAL,
				   "'%s' is not a regular file: not replaced", path);
	return 0;
}

static int open_parent(struct output *output, const char *path, struct expt_error *err)
{
	int rc = stage_split(&output->file.dir, output->final, path, err);

	if (rc == 0 && expt_directory_is_inside(output->file.dir))
		rc = expt_refuse(err, -EINVAL, "'%s' would be inside an experiment",
				 path);
	return rc;
}

static void path_of(char path[SELF_SIZE], int fd)
{
	snprintf(path, SELF_SIZE, "/proc/self/fd/%d", fd);
}

/* Open a file without a name, if the file system has them and /proc can name it later. */
static int open_nameless(const struct output *output)
{
	cleanup_fd int fd = openat(output->file.dir, ".",
				   O_WRONLY | O_TMPFILE | O_CLOEXEC, OUTPUT_MODE);
	char self[SELF_SIZE];

	path_of(self, fd);
	return fd >= 0 && access(self, F_OK) == 0 ? steal_fd(&fd) : -1;
}

static int open_file(struct output *output)
{
	output->file.fd = open_nameless(output);
	if (output->file.fd < 0)
		return temporary_open(&output->file, output->file.dir, output->final,
				      OUTPUT_MODE);
	flock(output->file.fd, LOCK_EX | LOCK_NB);
	return 0;
}

/* Make the file again: others may have opened it while it had a name, and would read what
 * is written later. */
static int open_again(struct output *output, mode_t mode)
{
	temporary_release(&output->file);
	return temporary_open(&output->file, output->file.dir, output->final, mode);
}

int output_limit(struct output *output, const struct origin *readers,
		 struct expt_error *err)
{
	struct stat status;
	mode_t mode;
	int rc = 0;

	if (fstat(output->file.fd, &status) < 0)
		return expt_fail(err, -errno, "cannot access '%s'", output->path);
	mode = origin_limit(readers, status.st_gid, status.st_mode & 0777);
	if (mode == (status.st_mode & 0777))
		return 0;
	if (output->file.name[0])
		rc = open_again(output, mode);
	if (rc == 0)
		rc = acl_set_mode(output->file.fd, mode);
	return rc < 0 ? expt_fail(err, rc, "cannot create '%s'", output->path) : 1;
}

int output_open(struct output *output, const char *path, bool replace,
		struct expt_error *err)
{
	cleanup_output struct output new = OUTPUT_INIT;
	int rc = open_parent(&new, path, err);

	if (rc < 0)
		return rc;
	temporary_clean(new.file.dir, new.final, false);
	rc = check_final(&new, path, replace, err);
	if (rc < 0)
		return rc;
	new.path = strdup(path);
	rc = new.path ? open_file(&new) : -ENOMEM;
	if (rc < 0)
		return expt_fail(err, rc, "cannot create '%s'", path);
	*output = new;
	new = (struct output)OUTPUT_INIT;
	return 0;
}

int output_check(const char *path, bool replace, struct expt_error *err)
{
	cleanup_output struct output output = OUTPUT_INIT;
	int rc = open_parent(&output, path, err);

	if (rc == 0)
		rc = check_final(&output, path, replace, err);
	if (rc == 0 && (rc = io_may_change(output.file.dir)) < 0)
		expt_fail(err, rc, "cannot create '%s'", path);
	return rc;
}

static int link_as(const struct output *output, const char *name)
{
	char self[SELF_SIZE];

	path_of(self, output->file.fd);
	return linkat(AT_FDCWD, self, output->file.dir, name, AT_SYMLINK_FOLLOW) < 0
		       ? -errno
		       : 0;
}

/* Give the file its final name. To replace, a nameless file gets the hidden name
 * first. */
static int appear(struct output *output, bool replace)
{
	int rc = 0;

	if (!output->file.name[0]) {
		rc = link_as(output, output->final);
		if (rc != -EEXIST || !replace)
			return rc;
		stage_part_name(output->file.name, output->final);
		rc = link_as(output, output->file.name);
		if (rc < 0) {
			output->file.name[0] = '\0';
			return rc;
		}
	}
	if (replace)
		rc = renameat(output->file.dir, output->file.name, output->file.dir,
			      output->final) < 0
			     ? -errno
			     : 0;
	else
		rc = stage_rename(output->file.dir, output->file.name, output->file.dir,
				  output->final);
	if (rc == 0)
		output->file.name[0] = '\0';
	return rc;
}

int output_commit(struct output *output, bool replace, struct expt_error *err)
{
	int rc;

	if (fdatasync(output->file.fd) < 0)
		return expt_fail(err, -errno, "cannot sync '%s'", output->path);
	rc = appear(output, replace);
	if (rc < 0)
		return expt_fail(err, rc, "cannot create '%s'", output->path);
	rc = stage_sync_directory(output->file.dir);
	if (rc == 0)
		return 0;
	if (!replace) /* a replaced file cannot be restored, so keep the new one */
		unlinkat(output->file.dir, output->final, 0);
	return expt_fail(err, rc, "cannot sync '%s'", output->path);
}

void output_release(struct output *output)
{
	int saved = errno;

	temporary_release(&output->file);
	if (output->file.dir >= 0)
		close(output->file.dir);
	free(output->path);
	*output = (struct output)OUTPUT_INIT;
	errno = saved;
}

/* ---- for programs ------------------------------------------------------------------ */

struct expt_output {
	struct output file;
	bool replace;
};

int expt_output_open(struct expt_output **out, const char *path, bool replace,
		     struct expt_error *err)
{
	struct expt_output *output = calloc(1, sizeof(*output));
	int rc;

	if (!output)
		return expt_fail(err, -ENOMEM, "cannot create '%s'", path);
	rc = output_open(&output->file, path, replace, err);
	if (rc < 0) {
		free(output);
		return rc;
	}
	output->replace = replace;
	*out = output;
	return 0;
}

int expt_output_fd(const struct expt_output *output)
{
	return output->file.file.fd;
}

int expt_output_commit(struct expt_output *output, struct expt_error *err)
{
	return output_commit(&output->file, output->replace, err);
}

void expt_output_close(struct expt_output *output)
{
	if (!output)
		return;
	output_release(&output->file);
	free(output);
}
