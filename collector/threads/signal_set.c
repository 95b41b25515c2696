/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/threads/signal_set.h"

#include <string.h>

#include "collector/threads/task_file.h"

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

	return task_file_read(tid, "status", buffer, sizeof(buffer)) > 0
		       ? find(buffer, name)
		       : 0;
}
