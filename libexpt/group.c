/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Group files: a first line that says so, then the name of an experiment per line. Several recorders
 * may append at once, also gprofng's, so appending is done under the file's record lock.
 */
#include "libexpt/group.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/error.h"
#include "libexpt/format.h"
#include "libexpt/private.h"

#define GROUP_SIZE_MAX (16u << 20)
#define LOCK_TRIES     1200 /* two minutes */
#define CREATOR_TRIES  20   /* two seconds */
#define TRY_NS	       100000000

/* ---- reading ----------------------------------------------------------------------- */

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The path of a member: below the group file's directory, or, if nothing is there, as named from
 * the current directory. NULL when out of memory. */
static char *resolve(const char *group, const char *name, size_t length)
{
	const char *slash = strrchr(group, '/');
	int directory = slash ? (int)(slash - group) + 1 : 0;
	char *path, *plain = strndup(name, length);

	if (!plain || *name == '/' || directory == 0)
		return plain;
	if (asprintf(&path, "%.*s%s", directory, group, plain) < 0)
		path = NULL;
	if (!path || exists(path) || !exists(plain)) {
		free(plain);
		return path;
	}
	free(path);
	return plain;
}

static int add_member(struct expt_group *group, const char *path, const char *name,
		      size_t length)
{
	struct group_member *member = array_add(group);

	if (!member)
		return -ENOMEM;
	member->path = arena_text(&group->strings, path, strlen(path));
	member->start = (size_t)(name - group->text);
	member->length = length;
	return member->path ? 0 : -ENOMEM;
}

/* A line is a name, blanks in it included, if that is an experiment's; otherwise its first word is,
 * as gprofng reads it. */
static int read_line(struct expt_group *group, const char *line, size_t length)
{
	cleanup_free char *member = NULL;
	size_t word;

	while (length > 0 && strchr(" \t\r", line[length - 1]))
		length--;
	if (length == 0 || *line == '#')
		return 0;
	word = strcspn(line, " \t\r\n");
	member = resolve(group->path, line, length);
	if (member && word < length && !exists(member)) {
		free(member);
		member = resolve(group->path, line, word);
		length = word;
	}
	return member ? add_member(group, member, line, length) : -ENOMEM;
}

static int read_lines(struct expt_group *group)
{
	for (const char *line = group->text; *line;) {
		size_t length = strcspn(line, "\n");
		int rc = read_line(group, line, length);

		if (rc < 0)
			return rc;
		line += length + (line[length] == '\n');
	}
	return 0;
}

/* The whole file as text; the caller frees it. */
static int read_text(char **out, const char *path, struct expt_error *err)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	cleanup_free char *text = NULL;
	struct stat status;
	ssize_t size;

	if (fd < 0 || fstat(fd, &status) < 0)
		return expt_fail(err, -errno, "cannot open '%s'", path);
	if (!S_ISREG(status.st_mode) || status.st_size > GROUP_SIZE_MAX)
		return expt_fail(err, -EBADMSG, "'%s' is not an experiment group", path);
	text = malloc((size_t)status.st_size + 1);
	if (!text)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", path);
	size = io_read_full(fd, text, (size_t)status.st_size);
	if (size < 0)
		return expt_fail(err, (int)size, "cannot read '%s'", path);
	text[size] = '\0';
	*out = steal(&text);
	return 0;
}

static void group_closep(struct expt_group **group)
{
	expt_group_close(*group);
}

/* ---- bundles ---- */

bool expt_is_bundle(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	       !expt_name_is_group(path);
}

/* Its experiments, in its order, named as expt_open() would find them. */
static int add_experiments(struct expt_group *group)
{
	const struct members *members = package_members(group->package);

	for (size_t i = 0; i < package_count(group->package); i++) {
		size_t member = package_experiment(group->package, i);
		cleanup_free char *path = NULL;

		if (asprintf(&path, "%s/%s", package_path(group->package),
			     members->items[member].name) < 0 ||
		    add_member(group, path, group->text, 0) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int open_bundle(struct expt_group **out, const char *path, struct expt_error *err)
{
	cleanup(group_closep) struct expt_group *group = calloc(1, sizeof *group);
	const char *inside;
	int rc;

	if (!group || !(group->path = strdup(path)) || !(group->text = strdup("")))
		return expt_fail(err, -ENOMEM, "cannot read '%s'", path);
	rc = package_open(&group->package, path, &inside, err);
	if (rc < 0)
		return rc;
	if (add_experiments(group) < 0)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", path);
	*out = steal(&group);
	return 0;
}

/* ---- public ---- */

static int open_group(struct expt_group **out, const char *path, struct expt_error *err)
{
	cleanup(group_closep) struct expt_group *group = calloc(1, sizeof *group);
	int rc;

	if (!group || !(group->path = strdup(path)))
		return expt_fail(err, -ENOMEM, "cannot read '%s'", path);
	rc = read_text(&group->text, path, err);
	if (rc < 0)
		return rc;
	if (!text_starts_with(group->text, GROUP_HEADER))
		return expt_fail(
			err, -EBADMSG,
			"'%s' is not an experiment group: it does not begin with '%s'",
			path, GROUP_HEADER);
	if (read_lines(group) < 0)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", path);
	*out = steal(&group);
	return 0;
}

int expt_group_open(struct expt_group **out, const char *path, struct expt_error *err)
{
	return expt_is_bundle(path) ? open_bundle(out, path, err)
				    : open_group(out, path, err);
}

int expt_group_member_open(struct expt **out, struct expt_group *group, size_t i,
			   struct expt_error *err)
{
	if (group->package)
		return expt_open_in(out, group->package,
				    package_experiment(group->package, i), err);
	return expt_open(out, group->items[i].path, err);
}

void expt_group_close(struct expt_group *group)
{
	if (!group)
		return;
	package_close(group->package);
	array_release(group);
	arena_release(&group->strings);
	free(group->text);
	free(group->path);
	free(group);
}

size_t expt_group_count(const struct expt_group *group)
{
	return group->count;
}

const char *expt_group_member(const struct expt_group *group, size_t i)
{
	return group->items[i].path;
}

/* ---- appending --------------------------------------------------------------------- */

static void wait_a_little(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = TRY_NS }, NULL);
}

/* A lock of the open file, not of the process, so that threads exclude each other, too; it and the
 * process locks of gprofng exclude each other. It ends when the file is closed. */
static int lock_group(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	for (int i = 0; i < LOCK_TRIES; i++) {
		if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
			return 0;
		if (errno != EAGAIN && errno != EACCES && errno != EINTR)
			return -errno;
		wait_a_little();
	}
	return -EAGAIN;
}

/* Whether this is still the file of that name: somebody may have written the group anew. */
static bool is_current(int fd, const char *path)
{
	struct stat ours, current;

	return fstat(fd, &ours) == 0 && stat(path, &current) == 0 &&
	       ours.st_dev == current.st_dev && ours.st_ino == current.st_ino;
}

int group_open_locked(int *out, const char *path, int flags)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		cleanup_fd int fd = open(
			path, flags | O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, 0666);
		int rc = fd < 0 ? -errno : lock_group(fd);

		if (rc < 0)
			return rc;
		if (is_current(fd, path)) {
			*out = steal_fd(&fd);
			return 0;
		}
	}
	return -EAGAIN;
}

/* The group, locked. An empty file that is not ours belongs to somebody who has created it and is
 * about to lock it and write its first line; who never does is not waited for long. */
static int open_for_adding(int *out, const char *path)
{
	for (int i = 0;; i++) {
		cleanup_fd int fd = -1;
		int rc = group_open_locked(&fd, path, O_APPEND | O_CREAT | O_EXCL);
		bool is_new = rc == 0;
		struct stat status;

		if (rc == -EEXIST)
			rc = group_open_locked(&fd, path, O_APPEND);
		if (rc < 0)
			return rc;
		if (fstat(fd, &status) < 0)
			return -errno;
		if (is_new || status.st_size > 0 || i == CREATOR_TRIES) {
			*out = steal_fd(&fd);
			return 0;
		}
		close(steal_fd(&fd));
		wait_a_little();
	}
}

/* What is missing in front of the new line: the header, or the end of the last line. */
static int add_missing(struct strbuf *line, int fd, off_t end, const char *path,
		       struct expt_error *err)
{
	char head[sizeof GROUP_HEADER - 1], last;
	ssize_t size;

	if (end == 0) {
		strbuf_add_text(line, GROUP_HEADER "\n");
		return 0;
	}
	size = io_pread_full(fd, head, sizeof head, 0);
	if (size < 0)
		return expt_fail(err, (int)size, "cannot read '%s'", path);
	if ((size_t)size < sizeof head || memcmp(head, GROUP_HEADER, sizeof head) != 0)
		return expt_fail(
			err, -EBADMSG,
			"'%s' is not an experiment group: it does not begin with '%s'",
			path, GROUP_HEADER);
	size = io_pread_full(fd, &last, 1, end - 1);
	if (size < 0)
		return expt_fail(err, (int)size, "cannot read '%s'", path);
	if (size == 1 && last != '\n')
		strbuf_add_char(line, '\n');
	return 0;
}

int expt_group_add(const char *path, const char *member, struct expt_error *err)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	cleanup_fd int fd = -1;
	off_t end;
	int rc;

	if (!expt_name_is_group(path))
		return expt_fail(err, -EINVAL, "name of group '%s' does not end in '%s'",
				 path, GROUP_SUFFIX);
	if (!*member || *member == '#' || strchr(member, '\n'))
		return expt_fail(err, -EINVAL, "'%s' cannot stand in a group", member);
	rc = open_for_adding(&fd, path);
	if (rc < 0)
		return expt_fail(err, rc, "cannot open '%s'", path);
	end = lseek(fd, 0, SEEK_END);
	if (end < 0)
		return expt_fail(err, -errno, "cannot read '%s'", path);
	rc = add_missing(&line, fd, end, path, err);
	if (rc < 0)
		return rc;
	strbuf_add_text(&line, member);
	strbuf_add_char(&line, '\n');
	if (line.failed)
		return expt_fail(err, -ENOMEM, "cannot write '%s'", path);
	rc = io_write_all(fd, line.text, line.length);
	if (rc == 0)
		return 0;
	if (ftruncate(fd, end) < 0) /* half a line would be a member of its own */
		return expt_fail(err, rc, "cannot write '%s', nor undo it", path);
	return expt_fail(err, rc, "cannot write '%s'", path);
}
