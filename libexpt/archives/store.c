/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/archives/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/layout/hidden.h"
#include "libexpt/stage/temporary.h"

#define LINK_TRIES 100

/* ---- reading ---- */

static const char *last_name(const char *target)
{
	const char *slash = strrchr(target, '/');

	return slash ? slash + 1 : NULL;
}

const char *store_checksum(const char *target)
{
	const char *name = last_name(target);

	if (!name || strspn(name, "0123456789abcdef") != 2 * HASH_SIZE ||
	    name[2 * HASH_SIZE] != '\0')
		return NULL;
	return name;
}

bool store_is_target(const char *target)
{
	const char *name = last_name(target);
	size_t digits = name ? strspn(name, "0123456789") : 0;

	return store_checksum(target) ||
	       (digits > 0 && name[digits] == '_' && name[digits + 1]);
}

/* Read the target of the link of this name into target[PATH_MAX]. */
static int read_link(char *target, int archives, const char *name)
{
	ssize_t length = readlinkat(archives, name, target, PATH_MAX);

	if (length < 0)
		return -errno;
	if (length == PATH_MAX)
		return -ENAMETOOLONG;
	target[length] = '\0';
	return store_is_target(target) ? 0 : -ELOOP;
}

int store_stat(struct stat *status, int archives, const char *name)
{
	char target[PATH_MAX];
	struct stat link;
	int rc;

	if (fstatat(archives, name, &link, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	*status = link;
	if (!S_ISLNK(link.st_mode))
		return S_ISREG(link.st_mode) ? 0 : -EINVAL;
	rc = read_link(target, archives, name);
	if (rc < 0)
		return rc;
	if (fstatat(archives, name, status, 0) < 0)
		return -errno;
	if (store_checksum(target))
		status->st_mtim = link.st_mtim;
	return S_ISREG(status->st_mode) ? 0 : -EINVAL;
}

int store_open_file(struct stat *status, int archives, const char *name)
{
	struct stat opened;
	cleanup_fd int fd = -1;
	int rc = store_stat(status, archives, name);

	if (rc < 0)
		return rc;
	fd = openat(archives, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &opened) < 0)
		return -errno;
	/* Check that the link was not replaced in between. */
	if (!io_is_same(&opened, status))
		return -EINVAL;
	return steal_fd(&fd);
}

/* ---- prefix of links ---- */

static bool is_inside(const char *store, const char *founder)
{
	size_t length = strlen(founder);

	return strncmp(store, founder, length) == 0 &&
	       (store[length] == '/' || store[length] == '\0');
}

/* An absolute path is kept as given: others may be able to change its links. */
static int find_links(struct store *store, const char *path, const char *founder,
		      bool is_relative)
{
	cleanup_free char *place = realpath(path, NULL), *other = realpath(founder, NULL);
	cleanup_strbuf struct strbuf archives = STRBUF_INIT, text = STRBUF_INIT;

	if (!place || !other)
		return -errno;
	if (is_inside(place, other))
		return -EINVAL;
	strbuf_printf(&archives, "%s/" ARCHIVES_DIR, other);
	if (is_relative && !archives.failed)
		path_add_way(&text, archives.text, place);
	else
		strbuf_add_text(&text, *path == '/' ? path : place);
	if (text.length > 0 && text.text[text.length - 1] != '/')
		strbuf_add_char(&text, '/');
	if (text.failed || archives.failed)
		return -ENOMEM;
	if (text.length + 2 * HASH_SIZE >= PATH_MAX)
		return -ENAMETOOLONG;
	store->links = strbuf_steal(&text);
	return store->links ? 0 : -ENOMEM;
}

/* ---- writing ---- */

/* Remove the directory made for the store, if it still has the name. */
static void drop_new(int dir, const char *path)
{
	cleanup_fd int parent = -1;
	char name[STAGE_NAME_SIZE];

	if (stage_split(&parent, name, path, NULL) == 0 && io_has_name(dir, parent, name))
		unlinkat(parent, name, AT_REMOVEDIR);
}

/* Returns the directory, and in *is_new whether it was made; or a negative errno. */
static int open_or_make(const char *path, bool *is_new, struct expt_error *err)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;
	cleanup_fd int parent = -1;
	char name[STAGE_NAME_SIZE];

	*is_new = dir < 0 && errno == ENOENT;
	if (!*is_new)
		return dir < 0 ? expt_fail(err, -errno, "cannot open '%s'", path) : dir;
	rc = stage_split(&parent, name, path, NULL);
	dir = rc < 0 ? rc : io_new_directory(parent, name, DIRECTORY_MODE);
	if (dir == -EEXIST) { /* made by another process */
		*is_new = false;
		dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		dir = dir < 0 ? -errno : dir;
	}
	return dir < 0 ? expt_fail(err, dir, "cannot create '%s'", path) : dir;
}

int store_open(struct store *store, const char *path, const char *founder,
	       bool is_relative, struct expt_error *err)
{
	bool is_new;
	cleanup_fd int dir = open_or_make(path, &is_new, err);
	int rc;

	if (dir < 0)
		return dir;
	rc = find_links(store, path, founder, is_relative);
	if (rc < 0 && is_new) /* the new directory would not belong to the experiment */
		drop_new(dir, path);
	if (rc == -EINVAL)
		return expt_refuse(
			err, rc,
			"cannot use '%s' as a store: it is inside the experiment", path);
	if (rc < 0)
		return expt_fail(err, rc, "cannot link to '%s'", path);
	temporary_clean(dir, ARCHIVES_DIR, true);
	store->dir = steal_fd(&dir);
	return 0;
}

void store_close(struct store *store)
{
	if (store->dir >= 0)
		close(store->dir);
	free(store->links);
	*store = (struct store)STORE_INIT;
}

/* Links cannot be locked, so a concurrent cleaner may remove one; then it is made
 * again. */
static int try_link(const char *target, int archives, const char *name,
		    const struct timespec times[2])
{
	char temporary[STAGE_NAME_SIZE];
	int rc = 0;

	stage_part_name(temporary, ARCHIVES_DIR);
	if (symlinkat(target, archives, temporary) < 0)
		return errno == EEXIST ? -EAGAIN : -errno;
	if ((utimensat(archives, temporary, times, AT_SYMLINK_NOFOLLOW) < 0 &&
	     errno != ENOTSUP) ||
	    renameat(archives, temporary, archives, name) < 0)
		rc = errno == ENOENT ? -EAGAIN : -errno;
	if (rc < 0)
		unlinkat(archives, temporary, 0);
	return rc;
}

int store_replace_link(const char *target, int archives, const char *name,
		       const struct timespec times[2])
{
	int rc = -EAGAIN;

	for (int i = 0; rc == -EAGAIN && i < LINK_TRIES; i++)
		rc = try_link(target, archives, name, times);
	return rc;
}

int store_link(const struct store *store, int archives, const char *name,
	       const char *checksum, const struct timespec *mtime)
{
	const struct timespec times[2] = { { .tv_nsec = UTIME_NOW }, *mtime };
	cleanup_strbuf struct strbuf target = STRBUF_INIT;

	strbuf_add_text(&target, store->links);
	strbuf_add_text(&target, checksum);
	if (target.failed)
		return -ENOMEM;
	return store_replace_link(target.text, archives, name, times);
}

int store_open_in(struct stat *status, const struct folder *archives, const char *name,
		  struct expt_error *err)
{
	cleanup_fd int fd = -1;

	if (!archives->package)
		return store_open_file(status, archives->dir, name);
	fd = folder_file(archives, name, err);
	if (fd < 0)
		return fd;
	return fstat(fd, status) < 0 ? -errno : steal_fd(&fd);
}
