/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/threads/task_file.h"

#include <dirent.h>

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

static void visit_entries(const char *buffer, long length, task_visit *visit,
			  void *argument)
{
	const struct dirent64 *entry;

	for (long at = 0; at < length; at += entry->d_reclen) {
		pid_t tid;

		entry = (const struct dirent64 *)(const void *)(buffer + at);
		tid = (pid_t)text_parse_decimal(entry->d_name, NULL);
		if (tid > 0 && tid != sys_gettid())
			visit(tid, argument);
	}
}

long task_visit_others(task_visit *visit, void *argument)
{
	char buffer[4096] __attribute__((aligned(16)));
	int directory = sys_openat(AT_FDCWD, "/proc/self/task",
				   O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	long length;

	if (directory < 0)
		return directory;
	while ((length = system_call(SYS_getdents64, directory, (long)buffer,
				     sizeof(buffer), 0, 0, 0)) > 0)
		visit_entries(buffer, length, visit, argument);
	sys_close(directory);
	return length;
}
