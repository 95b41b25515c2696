/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stages are told from dead ones by flock on the stage's directory, which the kernel gives up when
 * the maker dies. Where a file system cannot lock directories (NFS), a file in the stage names host,
 * boot and process instead; where it cannot rename without replacing, a lock file beside the target
 * keeps other makers out.
 */
#include "libexpt/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/error.h"
#include "libexpt/format.h"
#include "libexpt/hash.h"
#include "libexpt/layout.h"
#include "libexpt/owner.h"
#include "libexpt/tree.h"

#define NAME_SPACE	256 /* NAME_MAX and the NUL */
#define CHECKSUM_LENGTH 16
#define NAME_TRIES	100
#define WAIT_MS		10
#define WAITS		1000

/* ---- names ---- */

int stage_split(int *parent, char *name, const char *path, struct expt_error *err)
{
	size_t length, start;
	const char *last = path_last(path, &length);
	cleanup_free char *directory = NULL;

	if (length == 0 || (*last == '.' && length == 1) ||
	    (length == 2 && memcmp(last, "..", 2) == 0))
		return expt_fail(err, -EINVAL, "'%s' is not a name for an experiment",
				 path);
	if (length >= NAME_SPACE)
		return expt_fail(err, -ENAMETOOLONG, "'%.60s...'", last);
	memcpy(name, last, length);
	name[length] = '\0';

	start = (size_t)(last - path);
	while (start > 1 && path[start - 1] == '/')
		start--;
	directory = start ? strndup(path, start) : strdup(".");
	if (!directory)
		return expt_fail(err, -ENOMEM, "cannot open the directory of '%s'", path);
	*parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*parent < 0 && errno == EACCES) /* a directory one may write but not list */
		*parent = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*parent < 0)
		return expt_fail(err, -errno, "cannot open the directory '%s'", directory);
	return 0;
}

static bool is_continuation(char c) /* of a UTF-8 character */
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* ".NAME.", cut so that everything we append fits. */
static size_t hidden_prefix(char prefix[NAME_SPACE], const char *final)
{
	size_t room = NAME_SPACE - 1 - 2 - HIDDEN_RANDOM_LENGTH - strlen(PART_SUFFIX);
	size_t length = strlen(final);
	unsigned char digest[HASH_SIZE];
	char text[HASH_TEXT_SIZE];
	struct hash hash;

	if (length <= room)
		return (size_t)snprintf(prefix, NAME_SPACE, ".%s.", final);
	hash_init(&hash);
	hash_update(&hash, final, length);
	hash_digest(&hash, digest);
	hash_text(text, digest);
	length = room - CHECKSUM_LENGTH - 1;
	while (length > 1 && is_continuation(final[length]))
		length--;
	return (size_t)snprintf(prefix, NAME_SPACE, ".%.*s~%.*s.", (int)length, final,
				CHECKSUM_LENGTH, text);
}

static int hidden_name(char name[NAME_SPACE], const char *final, const char *suffix)
{
	static const char letters[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
	unsigned char random[HIDDEN_RANDOM_LENGTH];
	size_t length = hidden_prefix(name, final);

	if (getrandom(random, sizeof random, 0) != sizeof random)
		return -EIO;
	for (size_t i = 0; i < sizeof random; i++)
		name[length + i] = letters[random[i] % (sizeof letters - 1)];
	strcpy(name + length + sizeof random, suffix);
	return 0;
}

static bool is_hidden_name(const char *name, const char *prefix, const char *suffix)
{
	size_t length = strlen(prefix);

	return strlen(name) == length + HIDDEN_RANDOM_LENGTH + strlen(suffix) &&
	       memcmp(name, prefix, length) == 0 &&
	       strcmp(name + length + HIDDEN_RANDOM_LENGTH, suffix) == 0;
}

int stage_part_name(char *name, const char *final)
{
	return hidden_name(name, final, PART_SUFFIX);
}

bool stage_is_part_name(const char *name, const char *final)
{
	char prefix[NAME_SPACE];

	hidden_prefix(prefix, final);
	return is_hidden_name(name, prefix, PART_SUFFIX);
}

/* ---- renaming without replacing ---- */

static bool is_unsupported(int code)
{
	return code == -EINVAL || code == -ENOSYS || code == -EOPNOTSUPP || code == -EPERM;
}

static int rename_with_flags(int from_parent, const char *from, int to_parent,
			     const char *to, unsigned flags)
{
	return renameat2(from_parent, from, to_parent, to, flags) < 0 ? -errno : 0;
}

bool stage_try_again(unsigned tries)
{
	static const struct timespec wait = { .tv_nsec = WAIT_MS * 1000000L };

	nanosleep(&wait, NULL);
	return tries < WAITS;
}

/* ".NAME.LOCKED.lock" beside the target: whoever creates it may look and rename. */
static int take_lock_file(char name[NAME_SPACE], int parent, const char *final)
{
	size_t length = hidden_prefix(name, final);
	unsigned tries = 0;
	int rc;

	strcpy(name + length, "LOCKED" LOCK_SUFFIX);
	while ((rc = owner_create(parent, name)) == -EEXIST) {
		if (owner_is_dead(parent, name))
			unlinkat(parent, name, 0);
		else if (!stage_try_again(tries++))
			return -EBUSY;
	}
	return rc;
}

static int rename_if_free(int from_parent, const char *from, int to_parent, const char *to)
{
	struct stat status;

	if (fstatat(to_parent, to, &status, AT_SYMLINK_NOFOLLOW) == 0)
		return -EEXIST;
	if (errno != ENOENT)
		return -errno;
	return renameat(from_parent, from, to_parent, to) < 0 ? -errno : 0;
}

int stage_rename(int from_parent, const char *from, int to_parent, const char *to)
{
	int rc = rename_with_flags(from_parent, from, to_parent, to, RENAME_NOREPLACE);
	char lock[NAME_SPACE];

	if (!is_unsupported(rc))
		return rc;
	rc = take_lock_file(lock, to_parent, to);
	if (rc < 0)
		return rc;
	rc = rename_if_free(from_parent, from, to_parent, to);
	unlinkat(to_parent, lock, 0);
	return rc;
}

int stage_hide(char *hidden, int parent, const char *name)
{
	int rc = -EEXIST;

	for (int i = 0; i < NAME_TRIES && rc == -EEXIST; i++) {
		rc = hidden_name(hidden, name, DELETED_SUFFIX);
		if (rc == 0)
			rc = stage_rename(parent, name, parent, hidden);
	}
	return rc;
}

/* ---- removing ---- */

/* Unlink a hidden directory and all in it, which dir is open on. */
static int unlink_hidden(int parent, const char *name, int dir, struct expt_error *err)
{
	int rc = tree_unlink(dir, err);

	if (rc < 0)
		return rc;
	if (unlinkat(parent, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		return expt_fail(err, -errno, "cannot remove '%s'", name);
	return 0;
}

static int open_hidden(int parent, const char *name)
{
	int flags = O_RDONLY | O_DIRECTORY;
	int dir = io_open_unmounted(parent, name, flags);

	if (dir == -EACCES && fchmodat(parent, name, 0700, AT_SYMLINK_NOFOLLOW) == 0)
		dir = io_open_unmounted(parent, name, flags);
	if (dir < 0)
		errno = -dir;
	return dir < 0 ? -1 : dir;
}

static int remove_hidden(int parent, const char *name, struct expt_error *err)
{
	cleanup_fd int dir = open_hidden(parent, name);

	if (dir < 0)
		return expt_fail(err, -errno, "cannot remove '%s'", name);
	flock(dir, LOCK_EX | LOCK_NB); /* so that nobody finishes it meanwhile */
	return unlink_hidden(parent, name, dir, err);
}

int stage_remove(int parent, const char *name, struct expt_error *err)
{
	char hidden[NAME_SPACE];
	int rc = stage_hide(hidden, parent, name);

	if (rc < 0)
		return expt_fail(err, rc, "cannot remove '%s'", name);
	return remove_hidden(parent, hidden, err);
}

/* ---- what dead makers left behind ---- */

/* Lock dir if its maker is gone. Only our own: anybody may make such names in /tmp. */
static bool is_abandoned(int dir, bool is_removal)
{
	struct stat status;

	if (fstat(dir, &status) < 0 || (status.st_uid != geteuid() && geteuid() != 0))
		return false;
	if (flock(dir, LOCK_EX | LOCK_NB) == 0)
		return !owner_is_alive(dir, OWNER_FILE);
	if (errno == EWOULDBLOCK)
		return false;
	/* No locks here: two may well remove the same thing, but a stage needs proof. */
	return is_removal || owner_is_dead(dir, OWNER_FILE);
}

/* The name alone says little: only what holds nothing but an experiment's entries was ours. */
static bool is_remains(int dir, const char *name)
{
	return layout_check(dir, name, NULL) != -EBADMSG;
}

static bool has_name(int dir, int parent, const char *name)
{
	struct stat status, named;

	return fstat(dir, &status) == 0 &&
	       fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       status.st_dev == named.st_dev && status.st_ino == named.st_ino;
}

/* Before it was locked a stage may have got its final name. */
static bool clean_one(int parent, const char *name, bool is_removal)
{
	cleanup_fd int dir = open_hidden(parent, name);

	return dir >= 0 && is_abandoned(dir, is_removal) && has_name(dir, parent, name) &&
	       is_remains(dir, name) && unlink_hidden(parent, name, dir, NULL) == 0;
}

/* Whether the name between the dots of a hidden one is an experiment's, maybe cut. */
static bool is_experiments(const char *name, size_t length)
{
	size_t suffix = strlen(EXPERIMENT_SUFFIX);

	if (length > suffix &&
	    memcmp(name + length - suffix, EXPERIMENT_SUFFIX, suffix) == 0)
		return true;
	return length > CHECKSUM_LENGTH + 1 && name[length - CHECKSUM_LENGTH - 1] == '~';
}

bool stage_is_hidden(const char *name)
{
	size_t tail = 1 + HIDDEN_RANDOM_LENGTH, length = strlen(name);

	if (text_ends_with(name, PART_SUFFIX))
		tail += strlen(PART_SUFFIX);
	else if (text_ends_with(name, DELETED_SUFFIX))
		tail += strlen(DELETED_SUFFIX);
	else
		return false;
	if (name[0] != '.' || length < tail + 2 || name[length - tail] != '.')
		return false;
	return is_experiments(name + 1, length - tail - 1);
}

int stage_clean_hidden(int parent, const char *name)
{
	return clean_one(parent, name, text_ends_with(name, DELETED_SUFFIX));
}

int stage_clean(int parent, const char *final)
{
	char prefix[NAME_SPACE];
	cleanup_dir DIR *entries = io_list(parent);
	const struct dirent *entry;
	int finished = 0;

	if (!entries)
		return 0; /* a directory that cannot be listed cannot be cleaned */
	hidden_prefix(prefix, final);
	while ((entry = readdir(entries))) {
		if (is_hidden_name(entry->d_name, prefix, PART_SUFFIX))
			clean_one(parent, entry->d_name, false);
		else if (is_hidden_name(entry->d_name, prefix, DELETED_SUFFIX))
			finished += clean_one(parent, entry->d_name, true);
	}
	return finished;
}

/* ---- making ---- */

/* The final name is free, or has an experiment that may be replaced. What disappears while it is
 * looked at is being replaced by somebody else. */
static int check_final(struct stage *stage, const char *path, bool replace,
		       struct expt_error *err)
{
	unsigned tries = 0;
	int rc;

	do {
		cleanup_fd int dir = -1;
		struct stat status;

		if (fstatat(stage->parent, stage->final, &status, AT_SYMLINK_NOFOLLOW) < 0) {
			if (errno == ENOENT)
				return 0;
			return expt_fail(err, -errno, "cannot look at '%s'", path);
		}
		if (!replace)
			return expt_fail(err, -EEXIST, "cannot create '%s'", path);
		rc = layout_open(&dir, path, err);
	} while (rc == -ENOENT && stage_try_again(tries++));
	return rc;
}

/* Hold the new directory before anybody takes it for an abandoned one; -EEXIST: somebody did. */
static int lock_stage(int dir)
{
	struct stat status;

	if (flock(dir, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? -EEXIST : owner_create(dir, OWNER_FILE);
	if (fstat(dir, &status) < 0)
		return -errno;
	return status.st_nlink == 0 ? -EEXIST : 0;
}

/* Who cleans up takes what is not locked yet for abandoned: -EEXIST then, too. */
static int open_stage(int *out, const struct stage *stage)
{
	cleanup_fd int dir = open_hidden(stage->parent, stage->name);
	int rc;

	if (dir < 0)
		return errno == ENOENT ? -EEXIST : -errno;
	if (fchmod(dir, 0700) < 0) /* a umask may have closed it to us */
		return -errno;
	rc = lock_stage(dir);
	if (rc == 0)
		*out = steal_fd(&dir);
	return rc;
}

static int make_stage(struct stage *stage)
{
	int rc = hidden_name(stage->name, stage->final, PART_SUFFIX);

	if (rc < 0)
		return rc;
	if (mkdirat(stage->parent, stage->name, 0700) < 0)
		return -errno;
	rc = open_stage(&stage->dir, stage);
	if (rc < 0 && rc != -EEXIST)
		unlinkat(stage->parent, stage->name, AT_REMOVEDIR);
	return rc;
}

int stage_open(struct stage *stage, const char *path, bool replace, struct expt_error *err)
{
	struct stage new = STAGE_INIT;
	int rc;

	rc = stage_split(&new.parent, new.final, path, err);
	if (rc < 0)
		return rc;
	stage_clean(new.parent, new.final);
	rc = check_final(&new, path, replace, err);
	if (rc == 0) {
		rc = -EEXIST;
		for (int i = 0; i < NAME_TRIES && rc == -EEXIST; i++)
			rc = make_stage(&new);
		if (rc < 0)
			expt_fail(err, rc, "cannot create '%s'", path);
	}
	if (rc < 0) {
		close(new.parent);
		return rc;
	}
	*stage = new;
	return 0;
}

int stage_check(const char *path, bool replace, struct expt_error *err)
{
	struct stage stage = STAGE_INIT;
	int rc = stage_split(&stage.parent, stage.final, path, err);

	if (rc == 0)
		rc = check_final(&stage, path, replace, err);
	stage_release(&stage);
	return rc;
}

void stage_release(struct stage *stage)
{
	int saved = errno;

	if (stage->dir >= 0) {
		unlink_hidden(stage->parent, stage->name, stage->dir, NULL);
		close(stage->dir);
	}
	if (stage->parent >= 0)
		close(stage->parent);
	*stage = (struct stage)STAGE_INIT;
	errno = saved;
}

/* ---- appearing ---- */

int stage_sync_directory(int dir)
{
	if (fsync(dir) == 0)
		return 0;
	/* Some file systems cannot sync a directory, and O_PATH descriptors cannot be synced. */
	return errno == EINVAL || errno == EBADF || errno == EROFS ? 0 : -errno;
}

/* Open the experiment that has the name, and keep others from removing it. */
static int hold(struct stage_aside *aside, int parent, const char *name,
		struct expt_error *err)
{
	cleanup_fd int dir = -1;
	int rc = layout_open_at(&dir, parent, name, name, err);

	if (rc == -ENOENT) /* gone, or going */
		return -EAGAIN;
	if (rc < 0)
		return rc;
	if ((flock(dir, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) ||
	    !has_name(dir, parent, name))
		return -EAGAIN;
	*aside = (struct stage_aside){ .parent = parent, .dir = steal_fd(&dir) };
	strcpy(aside->final, name);
	return 0;
}

static void let_go(struct stage_aside *aside)
{
	if (aside->dir >= 0)
		close(aside->dir);
	aside->dir = -1;
}

void stage_discard(struct stage_aside *aside)
{
	if (aside->dir >= 0)
		unlink_hidden(aside->parent, aside->hidden, aside->dir, NULL);
	let_go(aside);
}

void stage_put_back(struct stage_aside *aside)
{
	int rc = stage_rename(aside->parent, aside->hidden, aside->parent, aside->final);

	if (rc == -EEXIST)
		stage_discard(aside);
	let_go(aside);
}

/* The hiding of what is held already. */
static int hide_aside(struct stage_aside *aside)
{
	int rc = stage_hide(aside->hidden, aside->parent, aside->final);

	if (rc == 0 && !has_name(aside->dir, aside->parent, aside->hidden)) {
		/* Another one came in between, and is not what is held. */
		stage_rename(aside->parent, aside->hidden, aside->parent, aside->final);
		return -EAGAIN;
	}
	return rc == -ENOENT ? -EAGAIN : rc;
}

int stage_set_aside(struct stage_aside *aside, int parent, const char *name,
		    struct expt_error *err)
{
	int rc = hold(aside, parent, name, err);

	if (rc < 0)
		return rc;
	rc = hide_aside(aside);
	if (rc < 0)
		let_go(aside);
	if (rc < 0 && rc != -EAGAIN)
		expt_fail(err, rc, "cannot replace '%s'", name);
	return rc;
}

/* In two steps, for file systems that cannot exchange: the final name is free for a moment. */
static int replace_by_hiding(const struct stage *stage, struct stage_aside *aside)
{
	int rc = hide_aside(aside);

	if (rc < 0)
		return rc;
	rc = stage_rename(stage->parent, stage->name, stage->parent, stage->final);
	if (rc < 0)
		stage_put_back(aside);
	return rc == -EEXIST ? -EAGAIN : rc;
}

static int exchange(const struct stage *stage)
{
	return rename_with_flags(stage->parent, stage->name, stage->parent, stage->final,
				 RENAME_EXCHANGE);
}

/* The stage and what is held change places. */
static int replace_by_exchange(const struct stage *stage, struct stage_aside *aside)
{
	int rc = exchange(stage);

	if (rc < 0)
		return rc == -ENOENT ? -EAGAIN : rc;
	if (!has_name(aside->dir, stage->parent, stage->name)) {
		exchange(stage); /* another one came in between */
		return -EAGAIN;
	}
	strcpy(aside->hidden, stage->name);
	return 0;
}

static int replace_final(const struct stage *stage, struct stage_aside *aside,
			 struct expt_error *err)
{
	int rc = hold(aside, stage->parent, stage->final, err);

	if (rc < 0)
		return rc;
	rc = replace_by_exchange(stage, aside);
	if (is_unsupported(rc))
		rc = replace_by_hiding(stage, aside);
	if (rc < 0)
		let_go(aside);
	if (rc < 0 && rc != -EAGAIN)
		expt_fail(err, rc, "cannot create '%s'", stage->final);
	return rc;
}

/* The final name becomes the stage's. Whoever else replaces what has it comes before, or after. */
static int appear(const struct stage *stage, bool replace, struct stage_aside *aside,
		  struct expt_error *err)
{
	unsigned tries = 0;

	do {
		int rc = stage_rename(stage->parent, stage->name, stage->parent,
				      stage->final);

		if (rc < 0 && (rc != -EEXIST || !replace))
			return expt_fail(err, rc, "cannot create '%s'", stage->final);
		if (rc == -EEXIST)
			rc = replace_final(stage, aside, err);
		if (rc != -EAGAIN)
			return rc;
	} while (stage_try_again(tries++));
	return expt_fail(err, -EBUSY, "cannot replace '%s'", stage->final);
}

/* The name is not durable: nobody may rely on it. */
static void disappear(const struct stage *stage, struct stage_aside *aside)
{
	if (aside->dir >= 0 && strcmp(aside->hidden, stage->name) == 0) {
		exchange(stage);
		let_go(aside);
		return;
	}
	renameat(stage->parent, stage->final, stage->parent, stage->name);
	if (aside->dir >= 0)
		stage_put_back(aside);
}

/* The directory's own time is part of a copy, and must not tell of our file. */
static int remove_owner_file(int dir)
{
	struct timespec times[2];
	struct stat status;

	if (fstat(dir, &status) < 0)
		return -errno;
	if (unlinkat(dir, OWNER_FILE, 0) < 0)
		return errno == ENOENT ? 0 : -errno;
	times[0] = status.st_atim;
	times[1] = status.st_mtim;
	return futimens(dir, times) < 0 ? -errno : 0;
}

int stage_commit(struct stage *stage, bool replace, enum stage_sync sync, mode_t mode,
		 struct expt_error *err)
{
	struct stage_aside aside = { .dir = -1 };
	int rc = remove_owner_file(stage->dir);

	if (rc < 0)
		return expt_fail(err, rc, "cannot finish '%s'", stage->final);
	if (fchmod(stage->dir, mode) < 0)
		return expt_fail(err, -errno, "cannot set the mode of '%s'", stage->final);
	if (sync == STAGE_SYNC && syncfs(stage->dir) < 0)
		return expt_fail(err, -errno, "cannot write '%s' to the disk",
				 stage->final);
	rc = appear(stage, replace, &aside, err);
	if (rc < 0)
		return rc;
	rc = sync == STAGE_NO_SYNC ? 0 : stage_sync_directory(stage->parent);
	if (rc < 0) {
		disappear(stage, &aside);
		return expt_fail(err, rc, "cannot write '%s' to the disk", stage->final);
	}
	close(stage->dir);
	stage->dir = -1;
	stage_discard(&aside);
	stage_release(stage);
	return 0;
}
