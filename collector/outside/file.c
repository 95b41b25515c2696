/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/format.h"

void file_init(struct file *file)
{
	*file = (struct file){ .fd = -1 };
}

int file_make(struct file *file, int directory, const char *name)
{
	file->fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			  FILE_MODE);
	return file->fd < 0 ? -errno : 0;
}

size_t file_close(struct file *file)
{
	struct stat status = { 0 };

	file_flush(file);
	if (file->fd >= 0) {
		fstat(file->fd, &status);
		close(file->fd);
	}
	free(file->bytes);
	file_init(file);
	return (size_t)status.st_size;
}

size_t file_size(const struct file *file)
{
	return file->written + file->length;
}

void file_put(struct file *file, const void *bytes, size_t size)
{
	if (file->length + size > file->room) {
		size_t room = 2 * file->room + size + 4096;
		char *grown = realloc(file->bytes, room);

		if (!grown)
			return;
		file->bytes = grown;
		file->room = room;
	}
	memcpy(file->bytes + file->length, bytes, size);
	file->length += size;
}

void file_put_text(struct file *file, const struct text *text)
{
	file_put(file, text->start, text->length);
}

void file_put_packet(struct file *file, const void *packet, size_t size)
{
	static const char zeros[BLOCK_SIZE];
	size_t rest = BLOCK_SIZE - file_size(file) % BLOCK_SIZE;

	if (size > rest) {
		struct packet_head filler = { (uint16_t)rest, PACKET_CLOSED };

		if (rest >= sizeof(filler))
			file_put(file, &filler, sizeof(filler));
		file_put(file, zeros, BLOCK_SIZE - file_size(file) % BLOCK_SIZE);
	}
	file_put(file, packet, size);
}

int file_flush(struct file *file)
{
	size_t at = 0;
	int rc = 0;

	if (file->fd < 0)
		return 0;
	while (at < file->length && rc == 0) {
		ssize_t put = write(file->fd, file->bytes + at, file->length - at);

		if (put > 0)
			at += (size_t)put;
		else if (put == 0 || errno != EINTR)
			rc = put == 0 ? -ENOSPC : -errno;
	}
	file->written += file->length;
	file->length = 0;
	return rc;
}
