/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/threads/signal_set.h"

#include <string.h>

#include "collector/base/system.h"
#include "collector/base/text.h"

static uint64_t parse_hex(const char *digits)
{
	uint64_t value = 0;

	for (; *digits != '\0'; digits++) {
		if (*digits >= '0' && *digits <= '9')
			value = value << 4 | (uint64_t)(*digits - '0');
		else if (*digits >= 'a' && *digits <= 'f')
			value = value << 4 | (uint64_t)(*digits - 'a' + 10);
		else
			break;
	}
	return value;
}

/* A line is "name:", a tab and 16 digits. The name of the program, which comes first, may
 * not contain an end of line. */
static uint64_t find(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, name, length) == 0 && at[length] == ':')
			return parse_hex(at + length + 2);
	}
	return 0;
}

uint64_t signal_set_of(pid_t tid, const char *name)
{
	char buffer[2048];
	struct text path = TEXT_ON(buffer);
	ssize_t length;
	int fd;

	text_add(&path, "/proc/self/task/");
	text_add_decimal(&path, tid);
	text_add(&path, "/status");
	fd = sys_openat(AT_FDCWD, buffer, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	length = sys_read(fd, buffer, sizeof(buffer) - 1);
	sys_close(fd);
	if (length <= 0)
		return 0;
	buffer[length] = '\0';
	return find(buffer, name);
}
