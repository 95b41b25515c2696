/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/threads/task_file.h"

#include "collector/base/system.h"
#include "collector/base/text.h"

ssize_t task_file_read(pid_t tid, const char *name, char *buffer, size_t size)
{
	char room[64];
	struct text path = TEXT_ON(room);
	ssize_t length;
	int fd;

	text_add(&path, "/proc/self/task/");
	text_add_decimal(&path, tid);
	text_add(&path, "/");
	text_add(&path, name);
	fd = sys_openat(AT_FDCWD, path.start, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	length = sys_read(fd, buffer, size - 1);
	sys_close(fd);
	buffer[length > 0 ? length : 0] = '\0';
	return length;
}
