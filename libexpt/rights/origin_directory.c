/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/rights/origin_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/rights/acl.h"

/* ---- judging ---- */

/* Look up the private group once, and only when needed: the databases may be slow. Root
 * does not need it. */
static bool is_private_group(struct origins *origins, gid_t group)
{
	if (origins->ourselves == 0)
		return false;
	pthread_mutex_lock(&origins->lock);
	if (!origins->knows_private_group) {
		origins->private_group = rights_private_group(origins->ourselves);
		origins->knows_private_group = true;
	}
	pthread_mutex_unlock(&origins->lock);
	return origins->private_group != (gid_t)-1 && origins->private_group == group;
}

/* If there is an ACL, the group's bits are its mask, so a right to write by the ACL shows
 * in them. A sticky directory is not safer than others: a user who can move a file of
 * this user may rename it into the directory. */
enum origin_trust origin_judge_owner(struct origins *origins, int fd,
				     const struct stat *status)
{
	struct acl_rights rights;

	if (status->st_uid != 0 && status->st_uid != origins->ourselves)
		return ORIGIN_FOREIGN;
	if (!(status->st_mode & (S_IWGRP | S_IWOTH)))
		return ORIGIN_CLOSED;
	if (status->st_mode & S_IWOTH || !is_private_group(origins, status->st_gid))
		return ORIGIN_OPEN;
	acl_read(&rights, fd, status->st_mode);
	return rights.has_acl ? ORIGIN_OPEN : ORIGIN_CLOSED;
}

void origin_judge(struct origin *origin, enum origin_trust trust, uid_t owner)
{
	if (trust == ORIGIN_FOREIGN && origin->trust != ORIGIN_FOREIGN)
		origin->stranger = owner;
	if (trust > origin->trust)
		origin->trust = trust;
}

static bool is_around(const struct origins *origins, dev_t device, ino_t inode)
{
	for (size_t i = 0; i < origins->around_count; i++)
		if (origins->around[i].device == device &&
		    origins->around[i].inode == inode)
			return true;
	return false;
}

static void judge_directory(struct origin_directory *directory, struct origins *origins)
{
	const struct stat *status = &directory->status;
	struct acl_rights rights;

	origin_judge(&directory->way, origin_judge_owner(origins, directory->fd, status),
		     status->st_uid);
	if (is_around(origins, status->st_dev, status->st_ino))
		return;
	acl_read(&rights, directory->fd, status->st_mode);
	origin_narrow(&directory->way, status->st_gid, rights.plain & S_IXGRP,
		      rights.everyone & S_IXOTH);
}

/* ---- kept directories ---- */

void origin_directory_release(struct origin_directory *directory)
{
	while (directory &&
	       __atomic_sub_fetch(&directory->references, 1, __ATOMIC_ACQ_REL) == 0) {
		struct origin_directory *above = directory->above;

		if (directory->fd >= 0)
			close(directory->fd);
		free(directory->name);
		free(directory);
		directory = above;
	}
}

static void releasep(struct origin_directory **directory)
{
	origin_directory_release(*directory);
}

struct origin_directory *origin_directory_share(struct origin_directory *directory)
{
	__atomic_add_fetch(&directory->references, 1, __ATOMIC_RELAXED);
	return directory;
}

static uint64_t key_of(const struct origin_directory *above, const char *name)
{
	return idmap_text_key(idmap_key(IDMAP_KEY, &above, sizeof(above)), name);
}

/* Directories with equal keys use the next free keys. */
static uint32_t find_index(const struct origins *origins,
			   const struct origin_directory *above, const char *name,
			   uint64_t *key)
{
	uint32_t index;

	*key = key_of(above, name);
	for (; (index = idmap_find(&origins->by_name, *key)) != IDMAP_NONE; ++*key)
		if (origins->kept[index]->above == above &&
		    strcmp(origins->kept[index]->name, name) == 0)
			break;
	return index;
}

static struct origin_directory *
find_kept(struct origins *origins, const struct origin_directory *above, const char *name)
{
	struct origin_directory *found = NULL;
	uint32_t index;
	uint64_t key;

	pthread_mutex_lock(&origins->lock);
	index = find_index(origins, above, name, &key);
	if (index != IDMAP_NONE)
		found = origin_directory_share(origins->kept[index]);
	pthread_mutex_unlock(&origins->lock);
	return found;
}

static void forget_all(struct origins *origins)
{
	for (uint32_t i = 0; i < origins->count; i++)
		origin_directory_release(origins->kept[i]);
	origins->count = 0;
	idmap_release(&origins->by_name);
}

static void forget_kept(struct origins *origins)
{
	pthread_mutex_lock(&origins->lock);
	forget_all(origins);
	pthread_mutex_unlock(&origins->lock);
}

/* If memory runs out, the directory is judged again next time. */
static void keep(struct origins *origins, struct origin_directory *directory)
{
	uint32_t *slot;
	uint64_t key;

	pthread_mutex_lock(&origins->lock);
	if (origins->count == ORIGIN_KEPT_MAX)
		forget_all(origins);
	if (find_index(origins, directory->above, directory->name, &key) == IDMAP_NONE &&
	    (slot = idmap_add(&origins->by_name, key)) != NULL) {
		*slot = origins->count;
		origins->kept[origins->count++] = origin_directory_share(directory);
	}
	pthread_mutex_unlock(&origins->lock);
}

/* ---- one step ---- */

int origins_open_below(struct origins *origins, int above, const char *name, int flags)
{
	int fd = openat(above, name, flags | O_CLOEXEC);

	if (fd < 0 && errno == EMFILE) {
		forget_kept(origins);
		fd = openat(above, name, flags | O_CLOEXEC);
	}
	return fd < 0 ? -errno : fd;
}

/* Open for reading, so that the ACL can be read, or with O_PATH where this process may
 * only pass through. */
static int open_directory(struct origins *origins, int above, const char *name)
{
	const int flags = O_DIRECTORY | O_NOFOLLOW;
	int fd = origins_open_below(origins, above, name, flags | O_RDONLY);

	return fd == -EACCES ? origins_open_below(origins, above, name, flags | O_PATH)
			     : fd;
}

/* Takes over the descriptor, also on failure. */
static struct origin_directory *make_directory(struct origins *origins,
					       struct origin_directory *above,
					       const char *name, int fd)
{
	cleanup(releasep) struct origin_directory *directory =
		calloc(1, sizeof(*directory));

	if (!directory) {
		close(fd);
		return NULL;
	}
	directory->references = 1;
	directory->fd = fd;
	directory->name = strdup(name);
	if (!directory->name || fstat(fd, &directory->status) < 0)
		return NULL;
	if (above) {
		directory->above = origin_directory_share(above);
		directory->way = above->way;
	}
	judge_directory(directory, origins);
	return steal(&directory);
}

int origin_directory_enter(struct origin_directory **out, struct origins *origins,
			   struct origin_directory *above, const char *name)
{
	struct origin_directory *directory = find_kept(origins, above, name);
	int fd;

	if (!directory) {
		fd = open_directory(origins, above->fd, name);
		if (fd < 0)
			return fd;
		directory = make_directory(origins, above, name, fd);
		if (!directory)
			return -ENOMEM;
		keep(origins, directory);
	}
	*out = directory;
	return 0;
}

/* Another thread may have opened the root first; then that one is used. */
static struct origin_directory *keep_root(struct origins *origins,
					  struct origin_directory *root)
{
	struct origin_directory *kept;

	pthread_mutex_lock(&origins->lock);
	if (!origins->root)
		origins->root = origin_directory_share(root);
	kept = origin_directory_share(origins->root);
	pthread_mutex_unlock(&origins->lock);
	return kept;
}

static struct origin_directory *find_root(struct origins *origins)
{
	struct origin_directory *root;

	pthread_mutex_lock(&origins->lock);
	root = origins->root ? origin_directory_share(origins->root) : NULL;
	pthread_mutex_unlock(&origins->lock);
	return root;
}

int origin_directory_root(struct origin_directory **out, struct origins *origins)
{
	cleanup(releasep) struct origin_directory *root = NULL;
	int fd;

	*out = find_root(origins);
	if (*out)
		return 0;
	fd = open_directory(origins, AT_FDCWD, "/");
	if (fd < 0)
		return fd;
	root = make_directory(origins, NULL, "", fd);
	if (!root)
		return -ENOMEM;
	*out = keep_root(origins, root);
	return 0;
}

/* ---- where copies go ---- */

/* List the directory and those above it, as far up as possible. */
static size_t list_around(struct origin_around list[ORIGIN_AROUND_MAX], int dir)
{
	cleanup_fd int fd = openat(dir, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat status, below = { 0 };
	size_t count = 0;

	while (fd >= 0 && count < ORIGIN_AROUND_MAX && fstat(fd, &status) == 0) {
		int above = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);

		close(fd);
		fd = above;
		if (count > 0 && io_is_same(&status, &below))
			break;
		below = status;
		list[count++] = (struct origin_around){ status.st_dev, status.st_ino };
	}
	return count;
}

void origins_copy_below(struct origins *origins, int dir)
{
	struct origins others = { .has_around = true };
	size_t kept = 0;

	others.around_count = list_around(others.around, dir);
	if (!origins->has_around) {
		memcpy(origins->around, others.around, sizeof(others.around));
		origins->around_count = others.around_count;
		origins->has_around = true;
		return;
	}
	for (size_t i = 0; i < origins->around_count; i++)
		if (is_around(&others, origins->around[i].device,
			      origins->around[i].inode))
			origins->around[kept++] = origins->around[i];
	origins->around_count = kept;
}

void origins_read_for(struct origins *origins, const struct rights *reader)
{
	origins->reader = reader;
}

void origins_stop(struct origins *origins)
{
	__atomic_store_n(&origins->is_stopped, true, __ATOMIC_RELEASE);
}

struct origins *origins_open(void)
{
	struct origins *origins = calloc(1, sizeof(*origins));

	if (!origins)
		return NULL;
	pthread_mutex_init(&origins->lock, NULL);
	origins->ourselves = geteuid();
	return origins;
}

void origins_forget(struct origins *origins)
{
	pthread_mutex_lock(&origins->lock);
	forget_all(origins);
	origin_directory_release(origins->root);
	origins->root = NULL;
	pthread_mutex_unlock(&origins->lock);
}

void origins_close(struct origins *origins)
{
	if (!origins)
		return;
	origins_forget(origins);
	pthread_mutex_destroy(&origins->lock);
	free(origins);
}
