/* SPDX-License-Identifier: Apache-2.0 */
/* Additions to cmocka for unit tests: files made in the test's own empty directory. */
#ifndef TESTS_LIBEXPT_TEST_H
#define TESTS_LIBEXPT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline void make_directory(const char *path)
{
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		fail_msg("cannot create '%s'", path);
}

static inline void write_bytes(const char *path, const void *bytes, size_t length)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
		fail_msg("cannot write '%s'", path);
}

static inline void write_text(const char *path, const char *text)
{
	write_bytes(path, text, strlen(text));
}

static inline int remove_one(const char *path, const struct stat *status, int type,
			     struct FTW *walk)
{
	return remove(path);
}

static inline void remove_all(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
