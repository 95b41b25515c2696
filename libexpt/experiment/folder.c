/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/experiment/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/base/time.h"
#include "libexpt/common/error.h"

bool folder_is_open(const struct folder *folder)
{
	return folder->package || folder->place || folder->dir >= 0;
}

void folder_close(struct folder *folder)
{
	package_close(folder->package);
	if (folder->dir >= 0)
		close(folder->dir);
	free(folder->place);
	*folder = (struct folder)FOLDER_NONE;
}

/* ---- closed to save descriptors ---- */

/* An inode number alone is not enough: it is reused when the directory is removed. */
struct identity {
	uint64_t inode, device, born_ns;
};

struct folder_place {
	const struct folder *parent;
	struct identity identity;
	char name[];
};

static int identify(struct identity *identity, int dir)
{
	struct statx status;

	if (statx(dir, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO | STATX_BTIME,
		  &status) < 0)
		return -errno;
	*identity = (struct identity){
		.inode = status.stx_ino,
		.device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor,
	};
	if (status.stx_mask & STATX_BTIME)
		identity->born_ns = (uint64_t)status.stx_btime.tv_sec * NS_PER_SECOND +
				    status.stx_btime.tv_nsec;
	return 0;
}

/* Descriptors are the lowest free numbers, so a large one means that many are open. Not
 * all are for folders. */
static bool is_scarce(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	       (rlim_t)fd >= limit.rlim_cur / 4;
}

void folder_rest(struct folder *folder, const struct folder *parent, const char *name)
{
	size_t size = strlen(name) + 1;
	struct folder_place *place;

	if (folder->dir < 0 || !is_scarce(folder->dir))
		return;
	place = malloc(sizeof(*place) + size);
	if (!place || identify(&place->identity, folder->dir) < 0) {
		free(place);
		return;
	}
	place->parent = parent;
	memcpy(place->name, name, size);
	folder->place = place;
	close(steal_fd(&folder->dir));
}

static int open_place(const struct folder_place *place)
{
	cleanup_fd int own = -1;
	int parent;

	if (!place->parent) {
		int dir = open(place->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		return dir < 0 ? -errno : dir;
	}
	parent = folder_descriptor(place->parent, &own);
	return parent < 0
		       ? parent
		       : io_open_beneath(parent, place->name, O_RDONLY | O_DIRECTORY, 0);
}

int folder_descriptor(const struct folder *folder, int *own)
{
	const struct folder_place *place = folder->place;
	struct identity identity;
	int rc;

	*own = -1;
	if (!place)
		return folder->dir;
	*own = open_place(place);
	if (*own < 0)
		return *own;
	rc = identify(&identity, *own);
	if (rc == 0 && memcmp(&identity, &place->identity, sizeof(identity)) != 0)
		rc = -ESTALE;
	return rc < 0 ? rc : *own;
}

/* ---- in a bundle ---- */

static const struct member *member_at(const struct folder *folder, size_t index)
{
	return &package_members(folder->package)->items[index];
}

static size_t find(const struct folder *folder, const char *name)
{
	char path[4096];

	if (snprintf(path, sizeof(path), "%s/%s", member_at(folder, folder->member)->name,
		     name) >= (int)sizeof(path))
		return MEMBER_NONE;
	return members_find(package_members(folder->package), path);
}

/* Links of our own lead to a file in the same directory, perhaps through others; stop at
 * eight. */
static size_t follow(const struct folder *folder, size_t index)
{
	for (int i = 0; i < 8 && index != MEMBER_NONE; i++) {
		const struct member *member = member_at(folder, index);

		if (member->type != TAR_LINK)
			return index;
		index = find(folder, member->target);
	}
	return MEMBER_NONE;
}

static int open_member(struct folder *out, const struct folder *from, size_t index)
{
	if (index == MEMBER_NONE)
		return -ENOENT;
	if (member_at(from, index)->type != TAR_DIRECTORY)
		return -ENOTDIR;
	*out = (struct folder){
		.dir = -1,
		.package = package_share(from->package),
		.member = index,
	};
	return 0;
}

static int member_parent(struct folder *out, const struct folder *folder)
{
	const struct member *member = member_at(folder, folder->member);
	const char *slash = strrchr(member->name, '/');
	char path[4096];

	if (!slash || (size_t)(slash - member->name) >= sizeof(path))
		return -ENOENT;
	memcpy(path, member->name, (size_t)(slash - member->name));
	path[slash - member->name] = '\0';
	return open_member(out, folder,
			   members_find(package_members(folder->package), path));
}

static int member_file(const struct folder *folder, const char *name,
		       struct expt_error *err)
{
	size_t index = follow(folder, find(folder, name));
	int fd;

	if (index == MEMBER_NONE)
		return expt_fail(err, -ENOENT, "cannot open '%s'", name);
	if (member_at(folder, index)->type != TAR_FILE)
		return -EINVAL;
	fd = package_file(folder->package, index, err);
	return fd < 0 ? expt_fail_in(err, -EIO, "cannot read '%s' from '%s'",
				     member_at(folder, index)->name,
				     package_path(folder->package))
		      : fd;
}

/* ---- in either ---- */

int folder_open(struct folder *out, const struct folder *parent, const char *name)
{
	cleanup_fd int own = -1;
	int from, dir;

	if (parent->package)
		return open_member(out, parent, find(parent, name));
	from = folder_descriptor(parent, &own);
	dir = from < 0 ? from : io_open_beneath(from, name, O_RDONLY | O_DIRECTORY, 0);
	if (dir < 0)
		return dir;
	*out = (struct folder){ .dir = dir };
	return 0;
}

int folder_parent(struct folder *out, const struct folder *folder)
{
	cleanup_fd int own = -1;
	int from, dir;

	if (folder->package)
		return member_parent(out, folder);
	from = folder_descriptor(folder, &own);
	if (from < 0)
		return from;
	dir = openat(from, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -errno;
	*out = (struct folder){ .dir = dir };
	return 0;
}

static int open_regular(const struct folder *folder, const char *name)
{
	cleanup_fd int own = -1;
	int dir = folder_descriptor(folder, &own);

	return dir < 0 ? dir : io_open_regular(dir, name);
}

int folder_file(const struct folder *folder, const char *name, struct expt_error *err)
{
	int fd = folder->package ? member_file(folder, name, err)
				 : open_regular(folder, name);

	if (fd == -EINVAL)
		return expt_refuse(err, fd, "'%s' is not a regular file", name);
	if (fd < 0 && !folder->package)
		return expt_fail(err, fd, "cannot open '%s'", name);
	return fd;
}

int folder_read(struct io_file *file, const struct folder *folder, const char *name,
		struct expt_error *err)
{
	cleanup_fd int fd = folder_file(folder, name, err);
	int rc = fd < 0 ? fd : io_file_read(file, fd);

	return fd >= 0 && rc < 0 ? expt_fail(err, rc, "cannot read '%s'", name) : rc;
}

bool folder_contains(const struct folder *folder, const char *name)
{
	cleanup_fd int own = -1;
	int dir;

	if (folder->package)
		return find(folder, name) != MEMBER_NONE;
	dir = folder_descriptor(folder, &own);
	return dir >= 0 && faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool folder_has_content(const struct folder *folder, const char *name)
{
	cleanup_fd int own = -1;
	struct stat status;
	int dir;

	if (folder->package) {
		size_t index = follow(folder, find(folder, name));

		return index != MEMBER_NONE && member_at(folder, index)->size > 0;
	}
	dir = folder_descriptor(folder, &own);
	return dir >= 0 && fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       status.st_size > 0;
}

/* ---- listing ---- */

static int add_name(struct folder_names *names, const char *name, bool is_directory)
{
	struct folder_name *entry = array_add(names);

	if (!entry)
		return -ENOMEM;
	entry->name = arena_text(&names->strings, name, strlen(name));
	entry->is_directory = is_directory;
	return entry->name ? 0 : -ENOMEM;
}

static int list_directory(struct folder_names *names, const struct folder *folder)
{
	cleanup_fd int own = -1;
	int dir = folder_descriptor(folder, &own);
	cleanup_entries struct entries entries = entries_open(dir);
	const struct dirent64 *entry;

	if (dir < 0)
		return dir;
	while ((entry = entries_next(&entries)))
		if (entry->d_name[0] != '.' &&
		    add_name(names, entry->d_name,
			     io_is_directory(dir, entry->d_name, entry->d_type)) < 0)
			return -ENOMEM;
	return entries.code;
}

static int list_members(struct folder_names *names, const struct folder *folder)
{
	const struct members *members = package_members(folder->package);
	const char *top = members->items[folder->member].name;
	size_t length = strlen(top);

	for (size_t i = 0; i < members->count; i++) {
		const struct member *member = &members->items[i];
		const char *name = member->name + length + 1;

		if (strncmp(member->name, top, length) != 0 ||
		    member->name[length] != '/' || strchr(name, '/') || *name == '.')
			continue;
		if (add_name(names, name, member->type == TAR_DIRECTORY) < 0)
			return -ENOMEM;
	}
	return 0;
}

int folder_list(struct folder_names *names, const struct folder *folder)
{
	int rc;

	*names = (struct folder_names){ 0 };
	rc = folder->package ? list_members(names, folder)
			     : list_directory(names, folder);
	if (rc < 0)
		folder_names_release(names);
	return rc;
}

void folder_names_release(struct folder_names *names)
{
	array_release(names);
	arena_release(&names->strings);
}
