/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups with other names in them: a copy of a group, and the group of an experiment that
 * was moved. A new file replaces the old one, so that readers see either of them
 * complete. Lines that are not names remain unchanged.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/group/private.h"
#include "libexpt/layout/hidden.h"
#include "libexpt/stage/output.h"

/* Limits on waiting for programs that have the old file open. */
#define LATE_TRIES 1000
#define LATE_NS	   5000000

/* ---- the text ---------------------------------------------------------------------- */

static bool can_stand(const char *name)
{
	return *name && !strpbrk(name, "\r\n") && !strchr(" \t", name[strlen(name) - 1]);
}

static int add_name(struct strbuf *text, const char *name, struct expt_error *err)
{
	if (!can_stand(name))
		return expt_refuse(err, -EINVAL, "'%s' cannot be added to a group", name);
	strbuf_add_text(text, *name == '#' ? "./" : ""); /* not a remark */
	strbuf_add_text(text, name);
	return 0;
}

/* Make the text with these names, one for each member, NULL to keep the old one. */
static int make_text(struct strbuf *text, const struct expt_group *group,
		     const char *const *names, struct expt_error *err)
{
	size_t at = 0;
	int rc = 0;

	for (size_t i = 0; i < group->count && rc == 0; i++) {
		const struct group_member *member = &group->items[i];
		size_t end = member->start + (names[i] ? 0 : member->length);

		strbuf_add(text, group->text + at, end - at);
		if (names[i])
			rc = add_name(text, names[i], err);
		at = member->start + member->length;
	}
	strbuf_add_text(text, group->text + at);
	if (rc == 0 && text->failed)
		rc = expt_fail(err, -ENOMEM, "cannot write a group");
	return rc;
}

static int write_group(const char *path, const struct strbuf *text,
		       const struct stat *like, bool replace, struct expt_error *err)
{
	cleanup_output struct output output = OUTPUT_INIT;
	int rc = output_open(&output, path, replace, err);

	if (rc < 0)
		return rc;
	rc = io_write_all(output.file.fd, text->text, text->length);
	if (rc == 0 && like && fchmod(output.file.fd, like->st_mode & 07777) < 0)
		rc = -errno;
	if (rc == 0 && like && fchown(output.file.fd, like->st_uid, like->st_gid) < 0 &&
	    errno != EPERM)
		rc = -errno;
	if (rc < 0)
		return expt_fail(err, rc, "cannot write '%s'", path);
	return output_commit(&output, replace, err);
}

int expt_group_write(const struct expt_group *group, const char *const *names,
		     const char *path, bool replace, struct expt_error *err)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	int rc = 0;

	if (!expt_name_is_group(path))
		rc = expt_refuse(err, -EINVAL, "name of group '%s' does not end in '%s'",
				 path, GROUP_SUFFIX);
	if (rc == 0)
		rc = make_text(&text, group, names, err);
	return rc < 0 ? rc : write_group(path, &text, NULL, replace, err);
}

/* ---- the location of an experiment, which may be gone
 * ------------------------------- */

struct place {
	char directory[PATH_MAX]; /* resolved */
	const char *name;
	size_t length;
};

static bool find_place(struct place *place, const char *path)
{
	char parent[PATH_MAX];
	size_t length;

	place->name = path_last(path, &place->length);
	length = (size_t)(place->name - path);
	if (place->length == 0 || length >= sizeof(parent))
		return false;
	memcpy(parent, path, length);
	parent[length] = '\0';
	return realpath(length ? parent : ".", place->directory) != NULL;
}

static bool is_same_place(const struct place *a, const char *path)
{
	struct place b;

	return find_place(&b, path) && a->length == b.length &&
	       memcmp(a->name, b.name, a->length) == 0 &&
	       strcmp(a->directory, b.directory) == 0;
}

/* Resolve the name as readers do: relative to the group, or, if nothing is there, to the
 * current directory. */
static bool is_named(const struct expt_group *group, const struct group_member *member,
		     const struct place *wanted)
{
	const char *slash = strrchr(group->path, '/');
	int directory = slash ? (int)(slash - group->path) + 1 : 0;
	int length = (int)member->length;
	const char *name = group->text + member->start;
	char path[PATH_MAX];

	if (*name == '/')
		directory = 0;
	if (snprintf(path, sizeof(path), "%.*s%.*s", directory, group->path, length,
		     name) >= (int)sizeof(path))
		return false;
	if (is_same_place(wanted, path))
		return true;
	if (directory == 0 || faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return false;
	return is_same_place(wanted, path + directory);
}

/* Returns the part of directory below top, "" for top itself, or NULL outside top. */
static const char *path_below(const char *directory, const char *top)
{
	size_t length = strcmp(top, "/") == 0 ? 0 : strlen(top);

	if (strncmp(directory, top, length) != 0)
		return NULL;
	if (!directory[length])
		return directory + length;
	return directory[length] == '/' ? directory + length + 1 : NULL;
}

/* Make a relative name if the experiment is in the group's directory or below, and the
 * old name was relative. */
static char *make_name(const struct expt_group *group, const struct group_member *member,
		       const struct place *place)
{
	const char *directory = place->directory;
	struct place own;
	char *name;

	if (group->text[member->start] != '/' && find_place(&own, group->path) &&
	    path_below(directory, own.directory))
		directory = path_below(directory, own.directory);
	if (asprintf(&name, "%s%s%.*s", directory,
		     !*directory || strcmp(directory, "/") == 0 ? "" : "/",
		     (int)place->length, place->name) < 0)
		return NULL;
	return name;
}

/* ---- the group of an experiment that was moved ---------------------------------------
 */

static void release_names(char **names, size_t count)
{
	for (size_t i = 0; names && i < count; i++)
		free(names[i]);
	free(names);
}

/* Returns the number of members with a new name; *out has a name or NULL for each
 * member. */
static int find_names(char ***out, const struct expt_group *group, const char *from,
		      const char *to)
{
	char **names = calloc(group->count + 1, sizeof(*names));
	struct place old, new;
	int found = 0;

	if (!names)
		return -ENOMEM;
	*out = names;
	if (!find_place(&old, from) || !find_place(&new, to))
		return -ENOENT;
	for (size_t i = 0; i < group->count; i++) {
		if (!is_named(group, &group->items[i], &old))
			continue;
		names[i] = make_name(group, &group->items[i], &new);
		if (!names[i])
			return -ENOMEM;
		found++;
	}
	return found;
}

/* Another program may have opened the replaced file, to lock it and write to it. A read
 * lease is granted once no file is open for writing, and a file without a name cannot be
 * opened again. Programs that only read it do not matter. */
static void wait_for_others(int old)
{
	bool has_leases = fcntl(old, F_SETSIG, SIGURG) == 0; /* ignored by default */

	for (int i = 0; i < LATE_TRIES && has_leases; i++) {
		if (fcntl(old, F_SETLEASE, F_RDLCK) == 0) {
			fcntl(old, F_SETLEASE, F_UNLCK);
			return;
		}
		has_leases = errno == EAGAIN;
		nanosleep(&(struct timespec){ .tv_nsec = LATE_NS }, NULL);
	}
}

/* Copy lines that were written to the replaced file to the new one. */
static int take_late_lines(int old, off_t size, const char *path, struct expt_error *err)
{
	cleanup_free char *lines = NULL;
	cleanup_fd int fd = -1;
	struct stat status;
	int rc;

	wait_for_others(old);
	if (fstat(old, &status) < 0 || status.st_size <= size)
		return 0;
	lines = malloc((size_t)(status.st_size - size));
	rc = lines ? group_open_locked(&fd, path, O_APPEND) : -ENOMEM;
	if (rc == 0) {
		ssize_t got =
			io_pread_full(old, lines, (size_t)(status.st_size - size), size);

		rc = got < 0 ? (int)got : io_write_all(fd, lines, (size_t)got);
	}
	return rc < 0 ? expt_fail(err, rc, "cannot write '%s'", path) : 0;
}

/* Rename in the group at path, which is locked and has this status. */
static int rename_locked(const char *path, const struct stat *status, const char *from,
			 const char *to, struct expt_error *err)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	struct expt_group *group;
	char **names = NULL;
	int rc = expt_group_open(&group, path, err), found;

	if (rc < 0)
		return rc;
	found = rc = find_names(&names, group, from, to);
	if (rc < 0)
		expt_fail(err, rc, "cannot find '%s' in '%s'", from, path);
	else if (rc > 0 && strlen(group->text) != (size_t)status->st_size)
		rc = expt_refuse(err, -EBADMSG, "'%s' is not an experiment group", path);
	else if (rc > 0)
		rc = make_text(&text, group, (const char *const *)names, err);
	if (rc == 0 && found > 0)
		rc = write_group(path, &text, status, true, err);
	release_names(names, group->count);
	expt_group_close(group);
	return rc < 0 ? rc : found;
}

static int rename_in_file(const char *path, const char *from, const char *to,
			  struct expt_error *err)
{
	cleanup_fd int locked = -1, old = -1;
	struct stat status;
	int found, rc = group_open_locked(&locked, path, 0);

	if (rc < 0)
		return group_fail(err, rc, path);
	old = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (old < 0 || fstat(locked, &status) < 0)
		return expt_fail(err, -errno, "cannot open '%s'", path);
	found = rename_locked(path, &status, from, to, err);
	close(steal_fd(&locked));
	rc = found > 0 ? take_late_lines(old, status.st_size, path, err) : 0;
	return rc < 0 ? rc : found;
}

int expt_group_rename(const char *path, const char *from, const char *to,
		      struct expt_error *err)
{
	/* Follow a link, so that it remains one. */
	cleanup_free char *real = realpath(path, NULL);

	if (!real)
		return expt_fail(err, -errno, "cannot open '%s'", path);
	return rename_in_file(real, from, to, err);
}

/* ---- removing ------------------------------------------------------------------------
 */

/* Unlink the locked file by its name in its directory. */
static int unlink_locked(const struct expt_group *group, int locked)
{
	cleanup_fd int parent = -1;
	char name[STAGE_NAME_SIZE];
	struct stat ours, named;
	int rc = stage_split(&parent, name, group->path, NULL);

	if (rc < 0)
		return rc;
	if (fstat(locked, &ours) < 0 || fstatat(parent, name, &named, 0) < 0)
		return -errno;
	if (!io_is_same(&ours, &named))
		return -EBUSY;
	return unlinkat(parent, name, 0) < 0 ? -errno : 0;
}

static int remove_locked(const struct expt_group *group, int locked,
			 struct expt_error *err)
{
	struct expt_group *now;
	int rc = expt_group_open(&now, group->path, err);
	size_t count;

	if (rc < 0)
		return rc;
	count = now->count;
	expt_group_close(now);
	if (count != group->count)
		return expt_refuse(err, -EBUSY, "'%s' has changed", group->path);
	rc = unlink_locked(group, locked);
	return rc < 0 ? expt_fail(err, rc, "cannot remove '%s'", group->path) : 0;
}

int expt_group_remove(const struct expt_group *group, struct expt_error *err)
{
	cleanup_free char *real = realpath(group->path, NULL);
	cleanup_fd int locked = -1;
	int rc = real ? group_open_locked(&locked, real, 0) : -errno;

	if (rc < 0)
		return group_fail(err, rc, group->path);
	return remove_locked(group, locked, err);
}
