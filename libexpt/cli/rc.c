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
#include "libexpt/rights/origin.h"

#define RC_FILE	       ".er.rc" /* at home and in the current directory */
#define RC_FILE_SYSTEM "/etc/er.rc"
#define WORDS	       3	 /* of the longest supported directive */
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

/* ---- directives ---- */

static void add_directories(struct cli_rc *rc, const char *list)
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

static void add_path(struct cli_rc *rc, char *const words[WORDS])
{
	add_directories(rc, words[1]);
}

static void set_path(struct cli_rc *rc, char *const words[WORDS])
{
	list_clear(&rc->directories);
	add_directories(rc, words[1]);
}

static void map_path(struct cli_rc *rc, char *const words[WORDS])
{
	list_add(&rc->maps, words[1], strlen(words[1]));
	list_add(&rc->maps, words[2], strlen(words[2]));
}

static const struct directive {
	const char *name;
	size_t words; /* including the name */
	void (*run)(struct cli_rc *rc, char *const words[WORDS]);
} directives[] = {
	{ "addpath", 2, add_path },
	{ "setpath", 2, set_path },
	{ "pathmap", 3, map_path },
};

/* ---- files ---- */

/* Cut the next word off the line; in double quotes it may contain blanks. Returns NULL if
 * there is none. */
static char *next_word(char **line)
{
	char *word = *line + strspn(*line, " \t\r\n");
	const char *end = " \t\r\n";

	if (!*word || *word == '#')
		return NULL;
	if (*word == '"') {
		word++;
		end = "\"\n";
	}
	*line = word + strcspn(word, end);
	if (**line)
		*(*line)++ = '\0';
	return word;
}

static void read_line(struct cli_rc *rc, char *line, const char *path, size_t number)
{
	char *words[WORDS] = { NULL };
	size_t count = 0;
	char *word;

	while ((word = next_word(&line)) != NULL && count++ < WORDS)
		words[count - 1] = word;
	for (size_t i = 0; count > 0 && i < sizeof(directives) / sizeof(*directives);
	     i++) {
		const struct directive *directive = &directives[i];

		if (strcasecmp(words[0], directive->name) != 0)
			continue;
		if (count == directive->words)
			directive->run(rc, words);
		else
			cli_warn("'%s': line %zu: wrong number of arguments for '%s'",
				 path, number, directive->name);
	}
}

static void read_lines(struct cli_rc *rc, const struct io_file *file, const char *path)
{
	const char *next = (const char *)file->bytes, *end = next + file->size;

	for (size_t number = 1; next < end; number++) {
		const char *newline = memchr(next, '\n', (size_t)(end - next));
		size_t length = (size_t)((newline ? newline : end) - next);
		cleanup_free char *line = strndup(next, length);

		if (line)
			read_line(rc, line, path, number);
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

static void read_file(struct cli_rc *rc, struct origins *origins, const char *path)
{
	struct io_file file = { .bytes = NULL };
	cleanup_fd int fd = -1;
	struct origin origin;
	struct stat status;
	const char *why;
	int failure;

	fd = origin_open(&origin, &status, origins, path, ORIGIN_FOLLOW_LINK);
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
		read_lines(rc, &file, path);
	io_file_close(&file);
}

static void read_in(struct cli_rc *rc, struct origins *origins, const char *directory)
{
	cleanup_free char *path = path_join(directory, RC_FILE);

	if (path)
		read_file(rc, origins, path);
}

void cli_rc_read(struct cli_rc *rc, const char *directory)
{
	struct origins *origins = origins_open();

	if (origins)
		read_in(rc, origins, directory);
	origins_close(origins);
}

void cli_rc_read_all(struct cli_rc *rc)
{
	const char *home = getenv("HOME");
	struct origins *origins = origins_open();

	if (!origins)
		return;
	read_file(rc, origins, RC_FILE_SYSTEM);
	if (home && *home)
		read_in(rc, origins, home);
	read_in(rc, origins, ".");
	origins_close(origins);
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
