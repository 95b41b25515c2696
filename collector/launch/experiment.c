/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory that will be the experiment: its name, its place, the notes and the
 * group's line. The directory is made by one mkdir, so that collects started at the same
 * time never share one. From then on its descriptor is used, because other users may be
 * able to give its name to something else.
 */
#include "collector/launch/experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "collector/launch/installation.h"
#include "collector/launch/tool.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

/* linux/magic.h lacks CIFS_MAGIC. */
#define CIFS_MAGIC 0xff534d42
#define SMB2_MAGIC 0xfe534d42
#define NFS_MAGIC  0x6969
#define FUSE_MAGIC 0x65735546

static void warn_of_network(const char *directory)
{
	struct statfs status;

	if (statfs(directory, &status) < 0)
		return;
	switch ((uint32_t)status.f_type) {
	case NFS_MAGIC:
	case CIFS_MAGIC:
	case SMB2_MAGIC:
	case FUSE_MAGIC:
		cli_warn("'%s' may be on another machine: recording will be slow",
			 directory);
	}
}

/* Returns "test.1.er", or with -g "GROUP.1.er". */
static char *default_name(const struct settings *settings)
{
	const char *slash, *stem = settings->stem;
	int length = (int)strlen(stem);
	char *name;

	if (settings->group) {
		slash = strrchr(settings->group, '/');
		stem = slash ? slash + 1 : settings->group;
		length = (int)(strlen(stem) - strlen(GROUP_SUFFIX));
	}
	return asprintf(&name, "%.*s.%s" EXPERIMENT_SUFFIX, length, stem,
			settings->number ? settings->number : "1") < 0
		       ? NULL
		       : name;
}

/* Returns name below -d, unless it is absolute. */
static char *place(const struct settings *settings, const char *name)
{
	char *path;

	if (!settings->directory || name[0] == '/')
		return strdup(name);
	return asprintf(&path, "%s/%s", settings->directory, name) < 0 ? NULL : path;
}

/* Returns the path's directory, to be freed; base becomes its last component. */
static char *split(char *path, char **base)
{
	char *slash;

	path[path_length(path)] = '\0';
	slash = strrchr(path, '/');
	*base = slash ? slash + 1 : path;
	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static int check_directory(const char *directory)
{
	struct stat status;

	if (stat(directory, &status) < 0)
		return cli_error("cannot record into '%s': %s", directory,
				 strerrordesc_np(errno));
	if (!S_ISDIR(status.st_mode))
		return cli_error("cannot record into '%s': it is not a directory",
				 directory);
	if (access(directory, W_OK | X_OK) < 0)
		return cli_error("cannot record into '%s': %s", directory,
				 strerrordesc_np(errno));
	warn_of_network(directory);
	return CLI_OK;
}

/* Replace the last component of the path. */
static int set_base(struct experiment *experiment, const char *directory,
		    const char *base)
{
	const char *slash = strrchr(experiment->path, '/');
	int length = slash ? (int)(slash + 1 - experiment->path) : 0;
	cleanup_free char *real = realpath(directory, NULL);
	char *path, *absolute;

	if (!real)
		return cli_error("cannot resolve '%s': %s", directory,
				 strerrordesc_np(errno));
	if (asprintf(&path, "%.*s%s", length, experiment->path, base) < 0 ||
	    asprintf(&absolute, "%s/%s", strcmp(real, "/") == 0 ? "" : real, base) < 0)
		return cli_error("out of memory");
	free(experiment->path);
	free(experiment->absolute);
	experiment->path = path;
	experiment->absolute = absolute;
	return CLI_OK;
}

/* Move on to a free name if the wanted one is taken; warn if it was explicit. */
static int choose_free(struct experiment *experiment, const char *directory,
		       const char *base, const struct settings *settings)
{
	struct expt_error err;
	struct stat status;
	char next[NAME_MAX + 1];
	int rc;

	if (expt_directory_is_inside(experiment->parent))
		return cli_error("cannot record into '%s': it is inside an experiment",
				 directory);
	if (settings->overwrites ||
	    fstatat(experiment->parent, base, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return set_base(experiment, directory, base);
	rc = expt_name_next(next, sizeof(next), experiment->parent, base, &err);
	if (rc == -EEXIST)
		return cli_error("cannot create '%s': File exists; use another name, or "
				 "--overwrite",
				 base);
	if (rc < 0)
		return cli_failed(&err);
	if (settings->name)
		cli_warn("'%s' is in use; changed to '%s'", base, next);
	return set_base(experiment, directory, next);
}

int experiment_choose(struct experiment *experiment, const struct settings *settings)
{
	cleanup_free char *name = settings->name ? strdup(settings->name)
						 : default_name(settings);
	cleanup_free char *directory = NULL, *base_copy = NULL;
	char *base;

	*experiment = (struct experiment)EXPERIMENT_INIT;
	if (!name)
		return cli_error("out of memory");
	if (settings->directory && check_directory(settings->directory) != CLI_OK)
		return CLI_FAILED;
	if (settings->directory && name[0] == '/')
		cli_warn("ignoring -d %s: '%s' is an absolute path", settings->directory,
			 name);
	experiment->path = place(settings, name);
	if (!experiment->path)
		return cli_error("out of memory");
	directory = split(experiment->path, &base);
	base_copy = strdup(base);
	if (!directory || !base_copy)
		return cli_error("out of memory");
	if (check_directory(directory) != CLI_OK)
		return CLI_FAILED;
	experiment->parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (experiment->parent < 0)
		return cli_error("cannot open '%s': %s", directory,
				 strerrordesc_np(errno));
	return choose_free(experiment, directory, base_copy, settings);
}

static int make_directory(struct experiment *experiment, const struct settings *settings)
{
	int dir = -EEXIST;

	for (int tries = 0; tries < EXPERIMENT_NUMBER_TRIES; tries++) {
		dir = io_new_directory(experiment->parent,
				       path_base(experiment->absolute), DIRECTORY_MODE);
		if (dir != -EEXIST)
			break;
		/* Another collect was faster: take the next number after all. */
		experiment_release(experiment);
		if (experiment_choose(experiment, settings) != CLI_OK)
			return CLI_FAILED;
	}
	if (dir == -ESTALE)
		return cli_error("cannot create '%s': it was replaced immediately",
				 experiment->path);
	if (dir < 0)
		return cli_error("cannot create '%s': %s", experiment->path,
				 strerrordesc_np(-dir));
	experiment->dir = dir;
	return CLI_OK;
}

static int write_notes(const struct experiment *experiment,
		       const struct settings *settings)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	cleanup_fd int fd = -1;
	int rc;

	if (settings->comment_count == 0)
		return CLI_OK;
	for (size_t i = 0; i < settings->comment_count; i++) {
		strbuf_add_text(&text, settings->comments[i]);
		strbuf_add_char(&text, '\n');
	}
	if (text.failed)
		return cli_error("out of memory");
	fd = openat(experiment->dir, NOTES_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    FILE_MODE);
	rc = fd < 0 ? -errno : io_write_all(fd, text.text, text.length);
	if (rc < 0)
		return cli_error("cannot write '%s/" NOTES_FILE "': %s", experiment->path,
				 strerrordesc_np(-rc));
	return CLI_OK;
}

/* Returns path relative to the directory from, that of the group file; both are absolute
 * and without links. */
static char *relative_to(const char *from, const char *path)
{
	struct strbuf relative = STRBUF_INIT;
	size_t shared = 0;

	for (size_t i = 0;; i++) {
		bool from_ends = from[i] == '\0' || from[i] == '/';

		if (from_ends && path[i] == '/')
			shared = i;
		if (from[i] == '\0' || from[i] != path[i])
			break;
	}
	for (const char *rest = from + shared; *rest; rest++)
		if (*rest == '/' && rest[1])
			strbuf_add_text(&relative, "../");
	strbuf_add_text(&relative, path + shared + 1);
	return strbuf_steal(&relative);
}

static int join_group(const struct experiment *experiment,
		      const struct settings *settings)
{
	cleanup_free char *group = NULL, *directory = NULL, *real = NULL, *member = NULL;
	struct expt_error err;
	char *base;

	if (!settings->group)
		return CLI_OK;
	group = place(settings, settings->group);
	directory = group ? split(group, &base) : NULL;
	real = directory ? realpath(directory, NULL) : NULL;
	if (!real)
		return cli_error("cannot add the experiment to '%s': %s", settings->group,
				 strerrordesc_np(errno));
	member = relative_to(real, experiment->absolute);
	if (!member)
		return cli_error("out of memory");
	if (expt_group_add(group, member, &err) < 0)
		return cli_failed(&err);
	return CLI_OK;
}

int experiment_open(struct experiment *experiment, const char *name)
{
	*experiment = (struct experiment)EXPERIMENT_INIT;
	experiment->path = strdup(name);
	experiment->absolute = realpath(name, NULL);
	if (experiment->absolute)
		experiment->dir = open(experiment->absolute,
				       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (!experiment->path || experiment->dir < 0)
		return cli_error("cannot open '%s': %s", name, strerrordesc_np(errno));
	return CLI_OK;
}

/* Left to er_rm, which knows what an experiment is and refuses to remove one that is
 * being recorded. Linking that code into collect would slow down each run. */
int experiment_overwrite(const struct experiment *experiment,
			 const struct settings *settings,
			 const struct installation *installation)
{
	const char *const words[] = { installation->remover, experiment->absolute, NULL };
	struct tool tool = { .words = words, .output = -1 };
	struct stat status;
	int rc;

	if (!settings->overwrites || lstat(experiment->absolute, &status) < 0)
		return CLI_OK;
	rc = tool_start(&tool);
	if (rc == 0)
		rc = tool_wait(&tool);
	if (rc < 0)
		return cli_error("cannot run '%s': %s", installation->remover,
				 strerrordesc_np(-rc));
	return tool.status == 0 ? CLI_OK
				: cli_error("'%s' is unchanged", experiment->path);
}

int experiment_create(struct experiment *experiment, const struct settings *settings)
{
	if (make_directory(experiment, settings) != CLI_OK)
		return CLI_FAILED;
	if (write_notes(experiment, settings) != CLI_OK ||
	    join_group(experiment, settings) != CLI_OK) {
		experiment_discard(experiment);
		return CLI_FAILED;
	}
	return CLI_OK;
}

/* Remove only the files made here: the target may have got far enough to add more. */
void experiment_discard(const struct experiment *experiment)
{
	const char *base = path_base(experiment->absolute);

	unlinkat(experiment->dir, NOTES_FILE, 0);
	if (io_has_name(experiment->dir, experiment->parent, base))
		unlinkat(experiment->parent, base, AT_REMOVEDIR);
}

void experiment_release(struct experiment *experiment)
{
	if (experiment->parent >= 0)
		close(experiment->parent);
	if (experiment->dir >= 0)
		close(experiment->dir);
	free(experiment->path);
	free(experiment->absolute);
	*experiment = (struct experiment)EXPERIMENT_INIT;
}
