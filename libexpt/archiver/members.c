/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the founder that the archives belong to, and the experiments in it to archive.
 * Reads only the start of a log, and only for an object without a recorded identity. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/layout/layout.h"

static bool has_entry(int dir, const char *name)
{
	return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool archive_member_is_empty(int dir)
{
	return !has_entry(dir, LOAD_MAP_FILE) && !has_entry(dir, LOG_FILE);
}

static int add_member(struct archiver *archiver, const char *name, struct expt_error *err)
{
	const char *kept = arena_text(&archiver->strings, name, strlen(name));
	struct archive_member *member = kept ? array_add(&archiver->known.members) : NULL;

	if (!member)
		return expt_fail(err, -ENOMEM, "cannot list '%s'", archiver->known.path);
	member->name = kept;
	return 0;
}

static int compare_members(const void *a, const void *b)
{
	const struct archive_member *first = a, *second = b;

	return expt_name_compare(first->name, second->name);
}

static int add_descendants(struct archiver *archiver, struct expt_error *err)
{
	cleanup_entries struct entries entries = entries_open(archiver->known.founder);
	const struct dirent64 *entry;
	int rc = 0;

	while (rc == 0 && (entry = entries_next(&entries))) {
		if (*entry->d_name != '.' &&
		    layout_entry(entry->d_name, false) == LAYOUT_DESCENDANT)
			rc = add_member(archiver, entry->d_name, err);
	}
	if (rc == 0 && entries.code < 0)
		rc = expt_fail(err, entries.code, "cannot list '%s'",
			       archiver->known.path);
	if (rc == 0 && archiver->known.members.count > 0)
		qsort(archiver->known.members.items + 1,
		      archiver->known.members.count - 1,
		      sizeof(*archiver->known.members.items), compare_members);
	return rc;
}

/* Open the directory that path names without its last component: a founder, if that
 * component is the name of a descendant. */
static int open_parent(char *parent, const char *path, const char *base)
{
	cleanup_fd int fd = -1;

	if (layout_entry(base, false) != LAYOUT_DESCENDANT)
		return -ENOENT;
	snprintf(parent, PATH_MAX, "%.*s", base == path ? 1 : (int)(base - path),
		 base == path ? "." : path);
	fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (!has_entry(fd, LOG_FILE) && !has_entry(fd, LOAD_MAP_FILE) &&
	    !has_entry(fd, ARCHIVES_DIR))
		return -ENOENT;
	return steal_fd(&fd);
}

static char *without_slashes(struct archiver *archiver, const char *path)
{
	return arena_text(&archiver->strings, path, path_length(path));
}

static int open_operand(struct archiver *archiver, char *path, struct expt_error *err)
{
	cleanup_fd int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char parent[PATH_MAX];

	if (dir < 0 && errno == ENOTDIR && access(path, F_OK) == 0)
		return expt_refuse(err, -EBADMSG,
				   "'%s' is not an experiment: it is not a directory",
				   path);
	if (dir < 0)
		return expt_fail(err, -errno, "cannot open '%s'", path);
	if (archive_member_is_empty(dir))
		return expt_refuse(err, -EBADMSG,
				   "'%s' is not an experiment: it has no '%s'", path,
				   LOAD_MAP_FILE);
	archiver->known.founder = open_parent(parent, path, base);
	if (archiver->known.founder < 0) {
		archiver->known.founder = steal_fd(&dir);
		archiver->known.path = path;
		return add_member(archiver, "", err);
	}
	archiver->known.path = without_slashes(archiver, parent);
	if (!archiver->known.path)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", path);
	return add_member(archiver, base, err);
}

static int open_access(struct archiver *archiver, struct expt_error *err)
{
	int rc = access_open(&archiver->to.access, archiver->known.founder,
			     archive_home(archiver));

	return rc < 0 ? expt_fail(err, rc, "cannot archive '%s'", archiver->known.path)
		      : 0;
}

int archive_open(struct archiver *archiver, const char *path, struct expt_error *err)
{
	char *own;
	int rc;

	if (!expt_name_is_experiment(path))
		return expt_fail_name(err, -EINVAL, path);
	if (strlen(path) >= PATH_MAX)
		return expt_fail(err, -ENAMETOOLONG, "cannot open '%.60s...'", path);
	own = without_slashes(archiver, path);
	if (!own)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", path);
	rc = open_operand(archiver, own, err);
	if (rc == 0 && !*archiver->known.members.items->name &&
	    !archiver->asked.options->is_founder_only)
		rc = add_descendants(archiver, err);
	return rc < 0 ? rc : open_access(archiver, err);
}

int64_t archive_started_at(struct archiver *archiver, size_t index)
{
	struct archive_member *member = &archiver->known.members.items[index];
	struct expt *expt;

	if (member->is_start_read)
		return member->started_at;
	member->is_start_read = true;
	if (archive_open_member(&expt, archiver, index, NULL) < 0)
		return 0;
	if (expt_info(expt)->has_run)
		member->started_at = expt_info(expt)->started_at;
	expt_close(expt);
	return member->started_at;
}
