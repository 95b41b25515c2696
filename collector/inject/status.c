/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"

#define STATUS_SIZE 8192

/* Returns the line's text after its name, or "". */
static const char *find_line(const char *text, const char *name)
{
	size_t length = strlen(name);

	while (text) {
		if (strncmp(text, name, length) == 0)
			return text + length + strspn(text + length, " \t");
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return "";
}

static uint64_t bits(const char *line)
{
	return strtoul(line, NULL, 16);
}

static unsigned long first_number(const char *line)
{
	return strtoul(line, NULL, 10);
}

/* The last one of a line is that of the innermost namespace, or of the file system. */
static unsigned long last_number(const char *line)
{
	const char *end = strchrnul(line, '\n');

	while (end > line && end[-1] >= '0' && end[-1] <= '9')
		end--;
	return first_number(end);
}

int process_status_read(struct process_status *status, pid_t process)
{
	char path[32], text[STATUS_SIZE];
	cleanup_fd int fd = -1;
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)process);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	length = io_read_full(fd, text, sizeof(text) - 1);
	if (length < 0)
		return (int)length;
	text[length] = '\0';
	*status = (struct process_status){
		.group = (pid_t)first_number(find_line(text, "Tgid:")),
		.own = (pid_t)last_number(find_line(text, "NSpid:")),
		.tracer = (pid_t)first_number(find_line(text, "TracerPid:")),
		.threads = first_number(find_line(text, "Threads:")),
		.state = *find_line(text, "State:"),
		.has_memory = *find_line(text, "VmSize:"),
		.has_filter = first_number(find_line(text, "Seccomp:")) != 0,
		.pending = bits(find_line(text, "SigPnd:")) |
			   bits(find_line(text, "ShdPnd:")),
		.user = (uid_t)last_number(find_line(text, "Uid:")),
		.user_group = (gid_t)last_number(find_line(text, "Gid:")),
	};
	return 0;
}
