/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/rc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"

#define RC_FILE	       ".er.rc" /* at home and in the current directory */
#define RC_FILE_SYSTEM "/etc/er.rc"
#define WORDS	       3 /* of the longest line that means something here */

/* ---- lists ---- */

static void list_clear(struct cli_rc_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	array_release(list);
}

/* What there is no memory for is not looked for. */
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

		/* "$expts" is where experiments keep their own copies: that is no news. */
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
	size_t words; /* with the name */
	void (*run)(struct cli_rc *rc, char *const words[WORDS]);
} directives[] = {
	{ "addpath", 2, add_path },
	{ "setpath", 2, set_path },
	{ "pathmap", 3, map_path },
};

/* ---- files ---- */

/* Cut the next word off the line; blanks may stand in double quotes. NULL: there is none. */
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
	for (size_t i = 0; count > 0 && i < sizeof directives / sizeof *directives; i++) {
		const struct directive *directive = &directives[i];

		if (strcasecmp(words[0], directive->name) != 0)
			continue;
		if (count == directive->words)
			directive->run(rc, words);
		else
			cli_warn("'%s': line %zu: not the words that '%s' takes", path,
				 number, directive->name);
	}
}

static void read_file(struct cli_rc *rc, const char *path)
{
	FILE *file = fopen(path, "re");
	cleanup_free char *line = NULL;
	size_t capacity = 0, number = 0;

	if (!file) {
		if (errno != ENOENT && errno != ENOTDIR)
			cli_warn("cannot open '%s': %m", path);
		return;
	}
	while (getline(&line, &capacity, file) >= 0)
		read_line(rc, line, path, ++number);
	fclose(file);
}

void cli_rc_read(struct cli_rc *rc, const char *directory)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;

	strbuf_printf(&path, "%s/%s", directory, RC_FILE);
	if (!path.failed)
		read_file(rc, path.text);
}

void cli_rc_read_all(struct cli_rc *rc)
{
	const char *home = getenv("HOME");

	read_file(rc, RC_FILE_SYSTEM);
	if (home && *home)
		cli_rc_read(rc, home);
	cli_rc_read(rc, ".");
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
