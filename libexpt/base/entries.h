/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entries of a directory, without "." and "..", in the order of the file system:
 *
 *	cleanup_entries struct entries entries = entries_open(dir);
 *	const struct dirent64 *entry;
 *
 *	while ((entry = entries_next(&entries)))
 *		...
 *	return entries.code;
 */
#ifndef LIBEXPT_BASE_ENTRIES_H
#define LIBEXPT_BASE_ENTRIES_H

#include <dirent.h>
#include <stdbool.h>
#include <sys/types.h>

#define ENTRIES_SIZE 32768 /* of a buffer */

struct entries {
	int fd;
	char *buffer;
	bool owns_fd, owns_buffer;
	ssize_t length, at; /* of the entries in the buffer */
	int code;	    /* 0, or the negative errno that ended the list */
};

#define cleanup_entries __attribute__((__cleanup__(entries_release)))

/* List the directory dir through a descriptor of its own, or through dir itself, from the
 * position that dir has. A failure is noted in code; the list is then empty. A directory
 * that has been removed is empty, too. */
struct entries entries_open(int dir);
struct entries entries_of(int dir);
/* Like entries_of(), with a buffer of the caller's, aligned for 8 bytes; nothing is to
 * be released. A directory that has been removed: code is -ENOENT. */
struct entries entries_into(char *buffer, int dir);
/* Returns the next entry, valid until the next call, or NULL. */
const struct dirent64 *entries_next(struct entries *entries);
void entries_release(struct entries *entries);

#endif
