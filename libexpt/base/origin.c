/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/origin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/acl.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/idmap.h"
#include "libexpt/base/io.h"

#define PLACES_MAX 128 /* directories that are kept open */
#define LINKS_MAX  40  /* as in the kernel */
#define AROUND_MAX 64

/* A directory that was judged, by the one above it and its name there. */
struct place {
	struct place *above; /* NULL: the root */
	char *name;
	unsigned references;
	int fd;
	struct stat status;
	struct origin way; /* from the root to it */
};

struct origins {
	pthread_mutex_t lock;
	uid_t ourselves;
	gid_t private_group; /* or -1, if it is known */
	bool knows_private_group;
	const struct rights *reader; /* or NULL */
	bool is_stopped;
	struct place *root;
	struct place *places[PLACES_MAX];
	uint32_t count;
	struct idmap by_name;
	bool has_around;
	struct around {
		dev_t device;
		ino_t inode;
	} around[AROUND_MAX]; /* the directories that do not count */
	size_t around_count;
};

/* ---- judging ---- */

void origin_narrow(struct origin *origin, gid_t group, bool group_may, bool everyone_may)
{
	if (everyone_may)
		return;
	if (group_may && (origin->readers == ORIGIN_EVERYONE ||
			  (origin->readers == ORIGIN_ONE_GROUP && origin->group == group))) {
		origin->readers = ORIGIN_ONE_GROUP;
		origin->group = group;
	} else {
		origin->readers = ORIGIN_OWNER;
	}
}

void origin_join(struct origin *origin, const struct origin *other)
{
	origin_narrow(origin, other->group, other->readers == ORIGIN_ONE_GROUP,
		      other->readers == ORIGIN_EVERYONE);
}

bool origin_has_readers(const struct origin *origin, const struct origin *other)
{
	struct origin joined = *other;

	origin_join(&joined, origin);
	return joined.readers == other->readers;
}

/* The databases may be slow, so they are asked once, and only where it matters. Root has no need of this. */
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

/* The group's bits are the mask of an ACL, if there is one: a right to write by an ACL shows in them. A sticky
 * directory is no better than others: a file of ours can be renamed into it by a user who has it. */
static enum origin_trust judge_owner(struct origins *origins, int fd,
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

static void judge(struct origin *origin, enum origin_trust trust, uid_t owner)
{
	if (trust == ORIGIN_FOREIGN && origin->trust != ORIGIN_FOREIGN)
		origin->stranger = owner;
	if (trust > origin->trust)
		origin->trust = trust;
}

static bool is_around(const struct origins *origins, dev_t device, ino_t inode)
{
	for (size_t i = 0; i < origins->around_count; i++)
		if (origins->around[i].device == device && origins->around[i].inode == inode)
			return true;
	return false;
}

static void judge_directory(struct place *place, struct origins *origins)
{
	const struct stat *status = &place->status;
	struct acl_rights rights;

	judge(&place->way, judge_owner(origins, place->fd, status), status->st_uid);
	if (is_around(origins, status->st_dev, status->st_ino))
		return;
	acl_read(&rights, place->fd, status->st_mode);
	origin_narrow(&place->way, status->st_gid, rights.plain & S_IXGRP,
		      rights.everyone & S_IXOTH);
}

static void judge_file(struct origin *origin, struct origins *origins,
		       const struct place *place, int fd, const struct stat *status)
{
	struct acl_rights rights;

	*origin = place->way;
	origin->itself = judge_owner(origins, fd, status);
	origin->place = judge_owner(origins, place->fd, &place->status);
	judge(origin, origin->itself, status->st_uid);
	acl_read(&rights, fd, status->st_mode);
	origin_narrow(origin, status->st_gid, rights.plain & S_IRGRP,
		      rights.everyone & S_IROTH);
	origin->mode = rights.plain & 0777;
	origin->everyone = rights.everyone;
	origin->owner = status->st_uid;
	origin->file_group = status->st_gid;
}

/* ---- what was judged already ---- */

static void release(struct place *place)
{
	while (place && __atomic_sub_fetch(&place->references, 1, __ATOMIC_ACQ_REL) == 0) {
		struct place *above = place->above;

		if (place->fd >= 0)
			close(place->fd);
		free(place->name);
		free(place);
		place = above;
	}
}

static void releasep(struct place **place)
{
	release(*place);
}

static struct place *share(struct place *place)
{
	__atomic_add_fetch(&place->references, 1, __ATOMIC_RELAXED);
	return place;
}

static uint64_t place_key(const struct place *above, const char *name)
{
	return idmap_text_key(idmap_key(IDMAP_KEY, &above, sizeof above), name);
}

/* Places of equal keys take the next free ones. */
static uint32_t find_index(const struct origins *origins, const struct place *above,
			   const char *name, uint64_t *key)
{
	uint32_t index;

	*key = place_key(above, name);
	for (; (index = idmap_find(&origins->by_name, *key)) != IDMAP_NONE; ++*key)
		if (origins->places[index]->above == above &&
		    strcmp(origins->places[index]->name, name) == 0)
			break;
	return index;
}

static struct place *find_place(struct origins *origins, const struct place *above,
				const char *name)
{
	struct place *found = NULL;
	uint32_t index;
	uint64_t key;

	pthread_mutex_lock(&origins->lock);
	index = find_index(origins, above, name, &key);
	if (index != IDMAP_NONE)
		found = share(origins->places[index]);
	pthread_mutex_unlock(&origins->lock);
	return found;
}

static void forget_all(struct origins *origins)
{
	for (uint32_t i = 0; i < origins->count; i++)
		release(origins->places[i]);
	origins->count = 0;
	idmap_release(&origins->by_name);
}

static void forget_places(struct origins *origins)
{
	pthread_mutex_lock(&origins->lock);
	forget_all(origins);
	pthread_mutex_unlock(&origins->lock);
}

/* If memory runs out, the place is judged again the next time. */
static void keep_place(struct origins *origins, struct place *place)
{
	uint32_t *slot;
	uint64_t key;

	pthread_mutex_lock(&origins->lock);
	if (origins->count == PLACES_MAX)
		forget_all(origins);
	if (find_index(origins, place->above, place->name, &key) == IDMAP_NONE &&
	    (slot = idmap_add(&origins->by_name, key)) != NULL) {
		*slot = origins->count;
		origins->places[origins->count++] = share(place);
	}
	pthread_mutex_unlock(&origins->lock);
}

/* ---- one step ---- */

/* Directories that are kept open must not keep us from opening another file. */
static int open_below(struct origins *origins, int above, const char *name, int flags)
{
	int fd = openat(above, name, flags | O_CLOEXEC);

	if (fd < 0 && errno == EMFILE) {
		forget_places(origins);
		fd = openat(above, name, flags | O_CLOEXEC);
	}
	return fd < 0 ? -errno : fd;
}

/* An ACL can be read through a descriptor that was opened for reading. Directories that we may only pass through
 * are opened without. */
static int open_directory(struct origins *origins, int above, const char *name)
{
	const int flags = O_DIRECTORY | O_NOFOLLOW;
	int fd = open_below(origins, above, name, flags | O_RDONLY);

	return fd == -EACCES ? open_below(origins, above, name, flags | O_PATH) : fd;
}

/* Takes over fd. */
static struct place *make_place(struct origins *origins, struct place *above,
				const char *name, int fd)
{
	cleanup(releasep) struct place *place = calloc(1, sizeof *place);

	if (!place) {
		close(fd);
		return NULL;
	}
	place->references = 1;
	place->fd = fd;
	place->name = strdup(name);
	if (!place->name || fstat(fd, &place->status) < 0)
		return NULL;
	if (above) {
		place->above = share(above);
		place->way = above->way;
	}
	judge_directory(place, origins);
	return steal(&place);
}

static int enter(struct place **out, struct origins *origins, struct place *above,
		 const char *name)
{
	struct place *place = find_place(origins, above, name);
	int fd;

	if (!place) {
		fd = open_directory(origins, above->fd, name);
		if (fd < 0)
			return fd;
		place = make_place(origins, above, name, fd);
		if (!place)
			return -ENOMEM;
		keep_place(origins, place);
	}
	*out = place;
	return 0;
}

/* One that another thread has made is as good. */
static struct place *keep_root(struct origins *origins, struct place *root)
{
	struct place *kept;

	pthread_mutex_lock(&origins->lock);
	if (!origins->root)
		origins->root = share(root);
	kept = share(origins->root);
	pthread_mutex_unlock(&origins->lock);
	return kept;
}

static struct place *find_root(struct origins *origins)
{
	struct place *root;

	pthread_mutex_lock(&origins->lock);
	root = origins->root ? share(origins->root) : NULL;
	pthread_mutex_unlock(&origins->lock);
	return root;
}

static int open_root(struct place **out, struct origins *origins)
{
	cleanup(releasep) struct place *root = NULL;
	int fd;

	*out = find_root(origins);
	if (*out)
		return 0;
	fd = open_directory(origins, AT_FDCWD, "/");
	if (fd < 0)
		return fd;
	root = make_place(origins, NULL, "", fd);
	if (!root)
		return -ENOMEM;
	*out = keep_root(origins, root);
	return 0;
}

/* ---- all the way ---- */

struct walk {
	struct origins *origins;
	struct place *root, *at;
	unsigned links;
	size_t next;	     /* in rest: the components that are left */
	char rest[PATH_MAX]; /* the way from at */
	char name[NAME_MAX + 1];
	bool is_last; /* nothing comes after name */
};

static void walk_end(const struct walk *walk)
{
	release(walk->at);
	release(walk->root);
}

static void move(struct walk *walk, struct place *to)
{
	release(walk->at);
	walk->at = to;
}

/* The path is followed before the rest; an absolute one begins at the root. */
static int insert_path(struct walk *walk, const char *path)
{
	size_t length = strlen(path), left = strlen(walk->rest + walk->next);

	if (length + 1 + left >= sizeof walk->rest)
		return -ENAMETOOLONG;
	memmove(walk->rest + length + 1, walk->rest + walk->next, left + 1);
	memcpy(walk->rest, path, length);
	walk->rest[length] = left > 0 ? '/' : '\0';
	walk->next = 0;
	if (*path == '/')
		move(walk, share(walk->root));
	return 0;
}

/* Cut the next component off. Before slashes at the end it is a directory, and not the last. */
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

/* Links that other users put into directories like /tmp are not followed, as in the kernel, which can be
 * told to follow them (fs.protected_symlinks). */
static bool is_planted(const struct walk *walk)
{
	const struct stat *around = &walk->at->status;
	struct stat link;

	return around->st_mode & S_ISVTX && around->st_mode & S_IWOTH &&
	       (fstatat(walk->at->fd, walk->name, &link, AT_SYMLINK_NOFOLLOW) < 0 ||
		(link.st_uid != around->st_uid && link.st_uid != walk->origins->ourselves));
}

static int follow(struct walk *walk)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(walk->at->fd, walk->name, target, sizeof target);

	if (length < 0)
		return errno == EINVAL ? -ENOTDIR : -errno;
	if (length == 0 || length == sizeof target)
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
	struct place *to;
	int rc;

	if (!*walk->name || strcmp(walk->name, ".") == 0)
		return 0;
	if (strcmp(walk->name, "..") == 0) {
		if (walk->at->above)
			move(walk, share(walk->at->above));
		return 0;
	}
	rc = enter(&to, walk->origins, walk->at, walk->name);
	if (rc == -ENOTDIR || rc == -ELOOP)
		return follow(walk);
	if (rc == 0)
		move(walk, to);
	return rc;
}

/* A relative path begins in the current directory, which is judged as any other. */
static int walk_begin(struct walk *walk, struct origins *origins, const char *path)
{
	char here[PATH_MAX] = "/";
	int rc;

	*walk = (struct walk){ .origins = origins };
	rc = open_root(&walk->root, origins);
	if (rc < 0 || __atomic_load_n(&origins->is_stopped, __ATOMIC_ACQUIRE))
		return rc < 0 ? rc : -EPERM;
	if (!*path)
		return -ENOENT;
	if (*path != '/' && !getcwd(here, sizeof here))
		return -errno;
	rc = insert_path(walk, path);
	if (rc == 0 && *path != '/')
		rc = insert_path(walk, here);
	return rc == 0 && !walk->at ? -ENOENT : rc;
}

/* To the directory that the last component is in. */
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
	return *walk->name && !io_is_dots(walk->name) ? 0 : -EINVAL;
}

/* As walk_to_last(), and what it names is a file, of which *status is set: through links, if they are
 * followed. */
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
	fd = open_below(origins, walk.at->fd, walk.name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return fd;
	if (fstat(fd, status) < 0)
		return -errno;
	if (!S_ISREG(status->st_mode)) /* it was exchanged for something else */
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

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
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

/* If the copy has another group, its members are among those who have the rights of everyone. */
mode_t origin_copy_mode(const struct origin *origin, gid_t group)
{
	bool is_same = origin->file_group == group;
	mode_t owner = origin->mode & S_IRWXU;
	mode_t members = is_same ? origin->mode & S_IRWXG : origin->everyone << 3;

	switch (origin->readers) {
	case ORIGIN_EVERYONE:
		return owner | members | origin->everyone;
	case ORIGIN_ONE_GROUP:
		return group == origin->group ? owner | members : owner;
	default:
		return owner;
	}
}

mode_t origin_limit(const struct origin *origin, gid_t group, mode_t mode)
{
	if (origin->readers == ORIGIN_EVERYONE)
		return mode;
	if (origin->readers == ORIGIN_ONE_GROUP && origin->group == group)
		return mode & ~(mode_t)S_IRWXO;
	return mode & ~(mode_t)(S_IRWXG | S_IRWXO);
}

bool origin_is_readable(const struct origin *origin, const struct rights *rights)
{
	return origin->readers == ORIGIN_EVERYONE || origin->owner == rights->user ||
	       (origin->readers == ORIGIN_ONE_GROUP &&
		rights_have_group(rights, origin->group));
}

/* ---- where copies go ---- */

/* The directory and those around it, as far up as we can go. */
static size_t list_around(struct around list[AROUND_MAX], int dir)
{
	cleanup_fd int fd = openat(dir, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat status, below = { 0 };
	size_t count = 0;

	while (fd >= 0 && count < AROUND_MAX && fstat(fd, &status) == 0) {
		int above = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);

		close(fd);
		fd = above;
		if (count > 0 && io_is_same(&status, &below))
			break;
		below = status;
		list[count++] = (struct around){ status.st_dev, status.st_ino };
	}
	return count;
}

void origins_copy_below(struct origins *origins, int dir)
{
	struct origins others = { .has_around = true };
	size_t kept = 0;

	others.around_count = list_around(others.around, dir);
	if (!origins->has_around) {
		memcpy(origins->around, others.around, sizeof others.around);
		origins->around_count = others.around_count;
		origins->has_around = true;
		return;
	}
	for (size_t i = 0; i < origins->around_count; i++)
		if (is_around(&others, origins->around[i].device, origins->around[i].inode))
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
	struct origins *origins = calloc(1, sizeof *origins);

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
	release(origins->root);
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
