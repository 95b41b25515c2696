/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/entries.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "libexpt/base/path.h"

struct entries entries_into(char *buffer, int dir)
{
	return (struct entries){ .fd = dir, .buffer = buffer };
}

struct entries entries_of(int dir)
{
	struct entries entries = entries_into(malloc(ENTRIES_SIZE), dir);

	entries.owns_buffer = true;
	if (!entries.buffer)
		entries.code = -ENOMEM;
	return entries;
}

struct entries entries_open(int dir)
{
	struct entries entries =
		entries_of(openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));

	entries.owns_fd = true;
	if (entries.fd < 0)
		entries.code = -errno;
	return entries;
}

static bool read_more(struct entries *entries)
{
	if (entries->code < 0)
		return false;
	entries->at = 0;
	entries->length = getdents64(entries->fd, entries->buffer, ENTRIES_SIZE);
	if (entries->length < 0 && !(errno == ENOENT && entries->owns_buffer))
		entries->code = -errno;
	return entries->length > 0;
}

const struct dirent64 *entries_next(struct entries *entries)
{
	while (entries->at < entries->length || read_more(entries)) {
		const void *next = entries->buffer + entries->at;
		const struct dirent64 *entry = next;

		entries->at += entry->d_reclen;
		if (!path_is_dots(entry->d_name))
			return entry;
	}
	return NULL;
}

void entries_release(struct entries *entries)
{
	int saved = errno;

	if (entries->owns_fd && entries->fd >= 0)
		close(entries->fd);
	if (entries->owns_buffer)
		free(entries->buffer);
	errno = saved;
}
