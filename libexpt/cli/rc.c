/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/rc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/words.h"
#include "libexpt/rights/origin.h"

#define RC_FILE	       ".er.rc" /* at home and in the current directory */
#define RC_FILE_SYSTEM "/etc/er.rc"
#define WORDS_MAX      16	 /* of a directive */
#define LARGEST_SIZE   (1 << 20) /* of a file */

/* ---- lists ---- */

static void list_clear(struct cli_rc_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	array_release(list);
}

/* If memory runs out, the place is not searched. */
static void list_add(struct cli_rc_list *list, const char *text, size_t length)
{
	char *copy = strndup(text, length);

	if (!copy || !array_add(list) || (list->count == 1 && !array_add(list))) {
		free(copy);
		return;
	}
	list->items[list->count - 2] = copy;
}

/* ---- places ---- */

void cli_rc_add_path(struct cli_rc *rc, const char *list)
{
	while (*list) {
		size_t length = strcspn(list, ":");

		/* "$expts" means the copies of the experiment, which are searched anyway.
		 */
		if (length > 0 && *list != '$')
			list_add(&rc->directories, list, length);
		list += length + (list[length] == ':');
	}
}

void cli_rc_set_path(struct cli_rc *rc, const char *list)
{
	list_clear(&rc->directories);
	cli_rc_add_path(rc, list);
}

void cli_rc_map_path(struct cli_rc *rc, const char *old, const char *new)
{
	list_add(&rc->maps, old, strlen(old));
	list_add(&rc->maps, new, strlen(new));
}

static void add_path(struct cli_rc *rc, char *const words[])
{
	cli_rc_add_path(rc, words[1]);
}

static void set_path(struct cli_rc *rc, char *const words[])
{
	cli_rc_set_path(rc, words[1]);
}

static void map_path(struct cli_rc *rc, char *const words[])
{
	cli_rc_map_path(rc, words[1], words[2]);
}

static const struct directive {
	const char *name;
	int words; /* including the name */
	void (*run)(struct cli_rc *rc, char *const words[]);
} directives[] = {
	{ "addpath", 2, add_path },
	{ "setpath", 2, set_path },
	{ "pathmap", 3, map_path },
};

/* Take the places, and ignore everything else. */
static void take_place(void *context, const struct cli_rc_line *line)
{
	for (size_t i = 0; i < sizeof(directives) / sizeof(*directives); i++) {
		const struct directive *directive = &directives[i];

		if (strcasecmp(line->words[0], directive->name) != 0)
			continue;
		if (line->count == directive->words)
			directive->run(context, line->words);
		else
			cli_warn("%s: wrong number of arguments for '%s'", line->where,
				 directive->name);
	}
}

/* ---- files ---- */

/* A reading of some files. */
struct reading {
	struct origins *origins;
	cli_rc_handler *handle;
	void *context;
	unsigned file;
};

static void read_line(struct reading *reading, char *text, const char *where)
{
	char *words[WORDS_MAX + 1] = { NULL };
	struct cli_rc_line line = {
		.where = where,
		.file = reading->file,
		.words = words,
	};

	line.count = words_split(text, words, WORDS_MAX);
	if (line.count < 0)
		cli_warn("%s: a quote is not closed", where);
	else if (line.count > 0)
		reading->handle(reading->context, &line);
}

static void read_lines(struct reading *reading, const struct io_file *file,
		       const char *path)
{
	const char *next = (const char *)file->bytes, *end = next + file->size;

	for (size_t number = 1; next < end; number++) {
		const char *newline = memchr(next, '\n', (size_t)(end - next));
		size_t length = (size_t)((newline ? newline : end) - next);
		cleanup_free char *line = strndup(next, length);
		cleanup_free char *where = NULL;

		if (line && asprintf(&where, "'%s': line %zu", path, number) >= 0)
			read_line(reading, line, where);
		next += length + (newline != NULL);
	}
}

/* Returns the reason why a file is not read, or NULL. Its directives cause other files to
 * be read, so it must belong to root or the caller. If other users can write to its
 * directory, they may have renamed a file to this name that was made for something else.
 */
static const char *problem(const struct origin *origin, const struct stat *status)
{
	if (status->st_uid != 0 && status->st_uid != geteuid())
		return "it belongs to another user";
	if (origin->itself != ORIGIN_CLOSED)
		return "other users can write to it";
	if (origin->place != ORIGIN_CLOSED)
		return "other users can write to its directory";
	if (status->st_size > LARGEST_SIZE)
		return "it is too large";
	return NULL;
}

/* Warn once for all experiments in a directory. */
static void warn_unread(const char *path, const char *why)
{
	static char *last;

	if (last && strcmp(last, path) == 0)
		return;
	free(last);
	last = strdup(path);
	cli_warn("ignoring '%s': %s", path, why);
}

static void warn_unopened(const char *path, int rc)
{
	if (rc == -EINVAL)
		warn_unread(path, "it is not a regular file");
	else if (rc != -ENOENT && rc != -ENOTDIR)
		cli_warn("cannot open '%s': %s", path, strerrordesc_np(-rc));
}

static void read_file(struct reading *reading, const char *path)
{
	struct io_file file = { .bytes = NULL };
	cleanup_fd int fd = -1;
	struct origin origin;
	struct stat status;
	const char *why;
	int failure;

	reading->file++;
	fd = origin_open(&origin, &status, reading->origins, path, ORIGIN_FOLLOW_LINK);
	if (fd < 0) {
		warn_unopened(path, fd);
		return;
	}
	why = problem(&origin, &status);
	if (why) {
		warn_unread(path, why);
		return;
	}
	failure = io_file_read(&file, fd);
	if (failure < 0)
		cli_warn("cannot read '%s': %s", path, strerrordesc_np(-failure));
	else
		read_lines(reading, &file, path);
	io_file_close(&file);
}

static void read_in(struct reading *reading, const char *directory)
{
	cleanup_free char *path = path_join(directory, RC_FILE);

	if (path)
		read_file(reading, path);
}

void cli_rc_read(struct cli_rc *rc, const char *directory)
{
	struct reading reading = {
		.origins = origins_open(),
		.handle = take_place,
		.context = rc,
	};

	if (reading.origins)
		read_in(&reading, directory);
	origins_close(reading.origins);
}

void cli_rc_read_lines(cli_rc_handler *handle, void *context)
{
	const char *home = getenv("HOME");
	struct reading reading = {
		.origins = origins_open(),
		.handle = handle,
		.context = context,
	};

	if (!reading.origins)
		return;
	read_file(&reading, RC_FILE_SYSTEM);
	if (home && *home)
		read_in(&reading, home);
	read_in(&reading, ".");
	origins_close(reading.origins);
}

void cli_rc_read_all(struct cli_rc *rc)
{
	cli_rc_read_lines(take_place, rc);
}

struct expt_search cli_rc_search(const struct cli_rc *rc)
{
	return (struct expt_search){
		.maps = (const char *const *)rc->maps.items,
		.directories = (const char *const *)rc->directories.items,
	};
}

void cli_rc_release(struct cli_rc *rc)
{
	list_clear(&rc->maps);
	list_clear(&rc->directories);
}
