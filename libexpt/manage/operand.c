/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and checks the operands. Paths are compared by device and inode of their
 * directories, never as text. */
#include "libexpt/manage/operand.h"
#include "libexpt/common/report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/common/workers.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/format.h"
#include "libexpt/layout/inside.h"
#include "libexpt/layout/layout.h"
#include "libexpt/stage/rename.h"
#include "libexpt/stage/stage.h"
#include "libexpt/tree/tree.h"

#define LOG_START 4096 /* the process element is in its first kilobyte */

static bool is_descendant(const struct operand *operand)
{
	return layout_entry(operand->name, false) == LAYOUT_DESCENDANT &&
	       operand->name[0] != '.' &&
	       faccessat(operand->parent, LOG_FILE, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

char *operand_resolve(const char *path)
{
	cleanup_free char *name = strndup(path, path_length(path));
	struct stat status;

	if (!name || lstat(name, &status) < 0 || !S_ISLNK(status.st_mode))
		return steal(&name);
	return realpath(name, NULL);
}

/* Check that the opened directory is the one that has the name in its parent. */
static int check_opened(struct operand *operand, const char *path, struct expt_error *err)
{
	struct stat status;

	if (fstat(operand->dir, &operand->status) < 0 ||
	    fstatat(operand->parent, operand->name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return expt_fail(err, -errno, "cannot access '%s'", path);
	if (!io_is_same(&status, &operand->status))
		return expt_refuse(err, -EPERM, "'%s' was replaced in the meantime",
				   path);
	operand->is_descendant = is_descendant(operand);
	return 0;
}

/* Hand over the new operand, or release it after a failure. */
static int finish_open(struct operand *out, struct operand *new, int rc)
{
	if (rc < 0)
		operand_release(new);
	else
		*out = *new;
	return rc;
}

int operand_open(struct operand *operand, const char *path, struct expt_error *err)
{
	struct operand new = OPERAND_INIT;
	int rc = layout_open(&new.dir, path, &new.directories, err);

	if (rc == 0)
		rc = stage_split(&new.parent, new.name, path, err);
	if (rc == 0)
		rc = check_opened(&new, path, err);
	return finish_open(operand, &new, rc);
}

int operand_open_admitting(struct operand *operand, int parent, const char *name,
			   const char *path, struct admissions *admissions,
			   struct expt_error *err)
{
	struct operand new = OPERAND_INIT;
	int rc = layout_open_admitting(&new.dir, parent, name, path, &new.directories,
				       admissions, err);

	if (rc == 0) {
		snprintf(new.name, sizeof(new.name), "%s", name);
		new.parent = fcntl(parent, F_DUPFD_CLOEXEC, 0);
		if (new.parent < 0)
			rc = expt_fail(err, -errno, "cannot open '%s'", path);
	}
	if (rc == 0)
		rc = check_opened(&new, path, err);
	return finish_open(operand, &new, rc);
}

int operand_open_at(struct operand *operand, int parent, const char *name,
		    const char *path, struct expt_error *err)
{
	return operand_open_admitting(operand, parent, name, path, NULL, err);
}

void operand_close_directories(struct operand *operand)
{
	directories_release(&operand->directories);
}

void operand_release(struct operand *operand)
{
	operand_close_directories(operand);
	if (operand->dir >= 0)
		close(operand->dir);
	if (operand->parent >= 0)
		close(operand->parent);
	operand->dir = operand->parent = -1;
}

void operand_parent_name(char name[PATH_MAX], const struct operand *operand)
{
	char *slash;

	if (!directory_path(name, operand->parent))
		*name = '\0';
	slash = strrchr(name, '/');
	if (slash)
		memmove(name, slash + 1, strlen(slash));
}

int operand_check_name(const struct operand *operand, struct expt_error *err)
{
	char founder[PATH_MAX] = "";
	struct stat status;

	if (operand->is_descendant)
		operand_parent_name(founder, operand);
	if (fstatat(operand->parent, operand->name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    io_is_same(&status, &operand->status) &&
	    !text_ends_with(founder, DELETED_SUFFIX))
		return 0;
	return expt_refuse(err, -EPERM, "it is being removed or renamed");
}

/* Keep the time of access of a log that is only examined, as for listed directories. */
static int open_log(int dir)
{
	int flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(dir, LOG_FILE, flags | O_NOATIME);

	return fd < 0 && errno == EPERM ? openat(dir, LOG_FILE, flags) : fd;
}

/* Find ' pid="N"' at the start of a log, without parsing it. Returns N, or 0 if not
 * found. */
static int64_t recorded_process(int dir)
{
	char text[LOG_START], *number;
	cleanup_fd int fd = open_log(dir);
	ssize_t length = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);
	int64_t process;

	if (length <= 0)
		return 0;
	text[length] = '\0';
	number = strstr(text, " pid=\"");
	if (!number)
		return 0;
	number += strlen(" pid=\"");
	number[strcspn(number, "\"")] = '\0';
	return number_i64(&process, number) ? process : 0;
}

/* A founder may have thousands of descendants, nearly all of which have ended: only those
 * whose process number is in use are examined closely. */
static bool may_be_live(const struct directories *directories, const char *name)
{
	const struct directory *directory = directories_find(directories, name);
	cleanup_fd int opened = -1;
	int64_t process;
	int dir;

	if (!directory) /* created since they were listed */
		return true;
	dir = directories_open(directories, (size_t)(directory - directories->items),
			       &opened);
	process = dir < 0 ? 0 : recorded_process(dir);
	if (process <= 0 || process > INT_MAX)
		return true;
	return kill((pid_t)process, 0) == 0 || errno != ESRCH;
}

/* Returns 1 or 0. A damaged or missing log is not being written. */
static int is_descendant_live(struct expt *founder, size_t i, struct expt_error *err)
{
	struct expt *descendant;
	int rc = expt_descendant_open(&descendant, founder, i, err);

	if (rc == -EIO || rc == -ENOMEM)
		return rc;
	if (rc < 0)
		return 0;
	rc = expt_is_active(descendant);
	expt_close(descendant);
	return rc;
}

struct suspects {
	const struct expt *founder;
	const struct directories *directories;
	bool *may_be_live; /* of each descendant */
};

static int suspect(void *context, unsigned worker, size_t i, struct expt_error *err)
{
	struct suspects *suspects = context;

	(void)worker, (void)err;
	suspects->may_be_live[i] = may_be_live(
		suspects->directories, expt_descendant_name(suspects->founder, i));
	return 0;
}

static int is_one_live(const struct operand *operand, struct expt *founder,
		       struct expt_error *err)
{
	size_t count = expt_descendant_count(founder);
	cleanup_free bool *may_be_live = calloc(count + 1, sizeof(*may_be_live));
	struct suspects suspects = { founder, &operand->directories, may_be_live };
	int rc = 0;

	if (!may_be_live)
		return expt_fail(err, -ENOMEM, "cannot check the descendants");
	workers_run(workers_for(workers_count(0), count), count, suspect, &suspects, err);
	for (size_t i = 0; i < count && rc == 0; i++)
		if (may_be_live[i])
			rc = is_descendant_live(founder, i, err);
	return rc;
}

int operand_is_live(const struct operand *operand, struct expt *expt,
		    struct expt_error *err)
{
	return expt_is_active(expt) ? 1 : is_one_live(operand, expt, err);
}

int operand_read_log(struct operand *operand, const char *path, struct expt_error *err)
{
	struct expt *expt;
	int rc = expt_open_directory(&expt, operand->dir, path, err);

	if (rc == -ENOTSUP || rc == -ENOMEM || rc == -EIO)
		return rc;
	if (rc < 0)
		return 0; /* without a readable log it is not being recorded */
	snprintf(operand->host, sizeof(operand->host), "%s", expt_info(expt)->host);
	rc = operand_is_live(operand, expt, err);
	operand->is_live = rc > 0;
	expt_close(expt);
	return rc < 0 ? rc : 0;
}

void operand_warn_of_other_host(const struct operand *operand, const char *path,
				struct expt_report *report)
{
	struct utsname system;

	if (*operand->host && uname(&system) == 0 &&
	    strcmp(operand->host, system.nodename) != 0)
		expt_report_add(
			report, EXPT_NOTE, path,
			"was recorded on '%s', but load objects are taken from this host",
			operand->host);
}

int operand_list(struct tree *tree, const struct operand *operand, const char *left_out,
		 struct expt_error *err)
{
	return operand->is_live || operand->directories.count == 0
		       ? tree_read(tree, operand->dir, left_out, err)
		       : tree_read_listed(tree, &operand->directories, left_out, err);
}

/* Returns true if wanted is dir, or a directory above it. */
static bool is_below(int dir, const struct stat *wanted)
{
	cleanup_fd int at = openat(dir, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat status, last = { 0 };

	while (at >= 0 && fstat(at, &status) == 0 && !io_is_same(&status, &last)) {
		int above;

		if (io_is_same(&status, wanted))
			return true;
		above = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(at);
		at = above;
		last = status;
	}
	return false;
}

static int check_place(const struct operand *operand, const char *from, const char *to,
		       int parent, const char *name, struct expt_error *err)
{
	struct stat status;

	if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
		if (io_is_same(&status, &operand->status))
			return expt_refuse(err, -EINVAL,
					   "'%s' and '%s' are the same experiment", from,
					   to);
		if (is_below(operand->parent, &status))
			return expt_refuse(err, -EINVAL, "'%s' is inside '%s'", from, to);
	}
	if (is_below(parent, &operand->status))
		return expt_refuse(err, -EINVAL, "'%s' is inside '%s'", to, from);
	if (expt_directory_is_inside(parent))
		return expt_refuse(err, -EINVAL,
				   "'%s' would be inside another experiment", to);
	return 0;
}

int operand_check_target(const struct operand *operand, const char *from, const char *to,
			 struct expt_error *err)
{
	cleanup_fd int parent = -1;
	char name[256];
	int rc;

	if (!expt_name_is_experiment(to))
		return expt_refuse(
			err, -EINVAL,
			"'%s' cannot be an experiment: its name does not end in '%s'", to,
			EXPERIMENT_SUFFIX);
	rc = stage_split(&parent, name, to, err);
	return rc < 0 ? rc : check_place(operand, from, to, parent, name, err);
}
