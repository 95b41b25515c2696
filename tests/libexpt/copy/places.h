/* SPDX-License-Identifier: Apache-2.0 */
/* Two directories for tests: a small tree to copy, and a place for it. */
#ifndef TESTS_LIBEXPT_COPY_PLACES_H
#define TESTS_LIBEXPT_COPY_PLACES_H

#include "tests/libexpt/test.h"

#include "libexpt/copy/copy.h"

struct places {
	int from, to;
	struct tree tree;
	struct tree_copy copy;
};

static inline void write_at(const char *path, off_t offset, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0644);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, text, strlen(text), offset), (ssize_t)strlen(text));
	close(fd);
}

static inline struct stat look_at(const char *path)
{
	struct stat status;

	assert_int_equal(lstat(path, &status), 0);
	return status;
}

static inline void assert_same_bytes(const char *a, const char *b)
{
	char command[256];

	snprintf(command, sizeof(command), "cmp '%s' '%s'", a, b);
	assert_int_equal(system(command), 0);
}

static inline int make_places(void **state)
{
	/* Use times long ago, so that a change made now shows in the time, however coarse
	 * the clock is. */
	const struct timespec times[2] = { { 1000, 0 }, { 1000, 0 } };
	static struct places places;

	make_directory("from");
	make_directory("from/_f1.er");
	make_directory("to");
	write_text("from/log.xml", "log");
	write_text("from/_f1.er/profile", "12345");
	write_text("from/empty", "");
	utimensat(AT_FDCWD, "from/_f1.er/profile", times, 0);
	places = (struct places){
		.from = open("from", O_RDONLY | O_DIRECTORY),
		.to = open("to", O_RDONLY | O_DIRECTORY),
	};
	*state = &places;
	return 0;
}

static inline int remove_places(void **state)
{
	struct places *places = *state;

	tree_copy_release(&places->copy);
	tree_release(&places->tree);
	close(places->from);
	close(places->to);
	remove_all("from");
	remove_all("to");
	return 0;
}

static inline void list(struct places *places)
{
	assert_int_equal(tree_read(&places->tree, places->from, NULL, NULL), 0);
	places->copy = (struct tree_copy){
		.tree = &places->tree,
		.from = places->from,
		.to = places->to,
		.threads = 2,
		.needs_verify = true,
	};
}

static inline size_t index_of(const struct places *places, const char *name)
{
	for (size_t i = 0; i < places->tree.count; i++)
		if (strcmp(places->tree.items[i].name, name) == 0)
			return i;
	fail_msg("no '%s'", name);
	return 0;
}

static inline enum file_change change_of(const struct places *places, const char *name)
{
	return tree_copy_change(&places->copy, index_of(places, name));
}

#endif
