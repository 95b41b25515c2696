/* SPDX-License-Identifier: Apache-2.0 */
/* Group files: a header line, then the name of an experiment per line. */
#include "libexpt/group/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/format.h"

#define GROUP_SIZE_MAX (16u << 20)

/* ---- reading ----------------------------------------------------------------------- */

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* Returns the path of a member: relative to the group file's directory, or, if nothing is
 * there, to the current directory. NULL if out of memory. */
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

int group_add_member(struct expt_group *group, const char *path, const char *name,
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

/* A line is a name, including blanks, if that file exists; otherwise its first word is,
 * as in gprofng. */
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
	return member ? group_add_member(group, member, line, length) : -ENOMEM;
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

/* Read the whole file as text; the caller frees it. */
static int read_text(char **out, const char *path, struct expt_error *err)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	cleanup_free char *text = NULL;
	struct stat status;
	ssize_t size;

	if (fd < 0 || fstat(fd, &status) < 0)
		return expt_fail(err, -errno, "cannot open '%s'", path);
	if (!S_ISREG(status.st_mode) || status.st_size > GROUP_SIZE_MAX)
		return expt_refuse(err, -EBADMSG, "'%s' is not an experiment group",
				   path);
	text = malloc((size_t)status.st_size + 1);
	if (!text)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", path);
	size = io_read_full(fd, text, (size_t)status.st_size);
	if (size < 0)
		return expt_fail(err, (int)size, "cannot read '%s'", path);
	text[size] = '\0';
	if (strlen(text) != (size_t)size) /* names after the NUL would be lost */
		return expt_refuse(err, -EBADMSG,
				   "'%s' is damaged: it contains a NUL byte", path);
	*out = steal(&text);
	return 0;
}

static void group_closep(struct expt_group **group)
{
	expt_group_close(*group);
}

/* Refuse groups in a group: they could be circular, and gprofng does not read them. The
 * check comes first, so that no member is processed before an error. */
static int check_members(const struct expt_group *group, struct expt_error *err)
{
	for (size_t i = 0; i < group->count; i++)
		if (expt_name_is_group(group->items[i].path))
			return expt_refuse(err, -EBADMSG,
					   "'%s' contains the group '%s': a group can "
					   "contain only experiments",
					   group->path, group->items[i].path);
	return 0;
}

int expt_group_open(struct expt_group **out, const char *path, struct expt_error *err)
{
	cleanup(group_closep) struct expt_group *group = calloc(1, sizeof(*group));
	int rc;

	if (!group || !(group->path = strdup(path)))
		return expt_fail(err, -ENOMEM, "cannot read '%s'", path);
	rc = read_text(&group->text, path, err);
	if (rc < 0)
		return rc;
	if (!text_starts_with(group->text, GROUP_HEADER))
		return expt_refuse(
			err, -EBADMSG,
			"'%s' is not an experiment group: it does not begin with '%s'",
			path, GROUP_HEADER);
	if (read_lines(group) < 0)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", path);
	rc = check_members(group, err);
	if (rc < 0)
		return rc;
	*out = steal(&group);
	return 0;
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
