/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/rights/origin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/rights/acl.h"
#include "libexpt/rights/origin_directory.h"

#define LINKS_MAX 40 /* as in the kernel */

/* ---- walking a path ---- */

struct walk {
	struct origins *origins;
	struct origin_directory *root, *at;
	unsigned links;
	size_t next;	     /* offset in rest of the components left */
	char rest[PATH_MAX]; /* rest + next is the path from at */
	char name[NAME_MAX + 1];
	bool is_last; /* name is the last component */
};

static void walk_end(const struct walk *walk)
{
	origin_directory_release(walk->at);
	origin_directory_release(walk->root);
}

static void move(struct walk *walk, struct origin_directory *to)
{
	origin_directory_release(walk->at);
	walk->at = to;
}

/* Put a path before the components that are left; an absolute one begins at the root. */
static int insert_path(struct walk *walk, const char *path)
{
	size_t length = strlen(path), left = strlen(walk->rest + walk->next);

	if (length + 1 + left >= sizeof(walk->rest))
		return -ENAMETOOLONG;
	memmove(walk->rest + length + 1, walk->rest + walk->next, left + 1);
	memcpy(walk->rest, path, length);
	walk->rest[length] = left > 0 ? '/' : '\0';
	walk->next = 0;
	if (*path == '/')
		move(walk, origin_directory_share(walk->root));
	return 0;
}

/* Cut off the next component. If slashes follow, it is a directory, and not the last. */
static int next_name(struct walk *walk)
{
	const char *text = walk->rest + walk->next;
	size_t slashes = strspn(text, "/"), length = strcspn(text + slashes, "/");

	if (length > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(walk->name, text + slashes, length);
	walk->name[length] = '\0';
	walk->next += slashes + length;
	walk->is_last = walk->rest[walk->next] == '\0';
	return 0;
}

/* Whether another user put the link into a directory like /tmp. Such links are never
 * followed; in the kernel that is a setting (fs.protected_symlinks). */
static bool is_planted(const struct walk *walk)
{
	const struct stat *around = &walk->at->status;
	struct stat link;

	return around->st_mode & S_ISVTX && around->st_mode & S_IWOTH &&
	       (fstatat(walk->at->fd, walk->name, &link, AT_SYMLINK_NOFOLLOW) < 0 ||
		(link.st_uid != around->st_uid &&
		 link.st_uid != walk->origins->ourselves));
}

static int follow(struct walk *walk)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(walk->at->fd, walk->name, target, sizeof(target));

	if (length < 0)
		return errno == EINVAL ? -ENOTDIR : -errno;
	if (length == 0 || length == sizeof(target))
		return length ? -ENAMETOOLONG : -ENOENT;
	target[length] = '\0';
	if (is_planted(walk))
		return -EACCES;
	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	return insert_path(walk, target);
}

static int step(struct walk *walk)
{
	struct origin_directory *to;
	int rc;

	if (!*walk->name || strcmp(walk->name, ".") == 0)
		return 0;
	if (strcmp(walk->name, "..") == 0) {
		if (walk->at->above)
			move(walk, origin_directory_share(walk->at->above));
		return 0;
	}
	rc = origin_directory_enter(&to, walk->origins, walk->at, walk->name);
	if (rc == -ENOTDIR || rc == -ELOOP)
		return follow(walk);
	if (rc == 0)
		move(walk, to);
	return rc;
}

/* A relative path begins in the current directory, which is judged like any other. */
static int walk_begin(struct walk *walk, struct origins *origins, const char *path)
{
	char here[PATH_MAX] = "/";
	int rc;

	*walk = (struct walk){ .origins = origins };
	rc = origin_directory_root(&walk->root, origins);
	if (rc < 0 || __atomic_load_n(&origins->is_stopped, __ATOMIC_ACQUIRE))
		return rc < 0 ? rc : -EPERM;
	if (!*path)
		return -ENOENT;
	if (*path != '/' && !getcwd(here, sizeof(here)))
		return -errno;
	rc = insert_path(walk, path);
	if (rc == 0 && *path != '/')
		rc = insert_path(walk, here);
	return rc == 0 && !walk->at ? -ENOENT : rc;
}

/* Go to the directory that contains the last component. */
static int walk_to_last(struct walk *walk)
{
	int rc = next_name(walk);

	while (rc == 0 && !walk->is_last) {
		rc = step(walk);
		if (rc == 0)
			rc = next_name(walk);
	}
	if (rc < 0)
		return rc;
	return *walk->name && !path_is_dots(walk->name) ? 0 : -EINVAL;
}

/* Go to the directory of the regular file at the end of the path, through links if they
 * are followed, and set *status to the file's. */
static int walk_to_file(struct walk *walk, struct stat *status, enum origin_links links)
{
	int rc = walk_to_last(walk);

	while (rc == 0) {
		if (fstatat(walk->at->fd, walk->name, status, AT_SYMLINK_NOFOLLOW) < 0)
			return -errno;
		if (!S_ISLNK(status->st_mode))
			return S_ISREG(status->st_mode) ? 0 : -EINVAL;
		if (links == ORIGIN_REFUSE_LINK)
			return -ELOOP;
		rc = follow(walk);
		if (rc == 0)
			rc = walk_to_last(walk);
	}
	return rc;
}

/* ---- files ---- */

static void judge_file(struct origin *origin, struct origins *origins,
		       const struct origin_directory *parent, int fd,
		       const struct stat *status)
{
	struct acl_rights rights;

	*origin = parent->way;
	origin->itself = origin_judge_owner(origins, fd, status);
	origin->place = origin_judge_owner(origins, parent->fd, &parent->status);
	origin_judge(origin, origin->itself, status->st_uid);
	acl_read(&rights, fd, status->st_mode);
	origin_narrow(origin, status->st_gid, rights.plain & S_IRGRP,
		      rights.everyone & S_IROTH);
	origin->mode = rights.plain & 0777;
	origin->everyone = rights.everyone;
	origin->owner = status->st_uid;
	origin->file_group = status->st_gid;
}

int origin_open(struct origin *origin, struct stat *status, struct origins *origins,
		const char *path, enum origin_links links)
{
	cleanup(walk_end) struct walk walk;
	cleanup_fd int fd = -1;
	int rc = walk_begin(&walk, origins, path);

	if (rc == 0)
		rc = walk_to_file(&walk, status, links);
	if (rc < 0)
		return rc;
	fd = origins_open_below(origins, walk.at->fd, walk.name,
				O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return fd;
	if (fstat(fd, status) < 0)
		return -errno;
	if (!S_ISREG(status->st_mode)) /* exchanged after the walk */
		return -EINVAL;
	judge_file(origin, origins, walk.at, fd, status);
	if (origins->reader && !origin_is_readable(origin, origins->reader))
		return -EACCES;
	return steal_fd(&fd);
}

static ssize_t path_of(char path[PATH_MAX], int fd)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, PATH_MAX - 1);
	if (length > 0)
		path[length] = '\0';
	return length;
}

void origin_of(struct origin *origin, struct origins *origins, int fd)
{
	cleanup(walk_end) struct walk walk = { .at = NULL };
	struct stat status, named;
	char path[PATH_MAX];

	*origin = (struct origin)ORIGIN_UNKNOWN;
	if (fstat(fd, &status) == 0 && path_of(path, fd) > 0 && *path == '/' &&
	    walk_begin(&walk, origins, path) == 0 &&
	    walk_to_file(&walk, &named, ORIGIN_REFUSE_LINK) == 0 &&
	    io_is_same(&named, &status))
		judge_file(origin, origins, walk.at, fd, &status);
}
