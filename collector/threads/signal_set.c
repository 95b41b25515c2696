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

/* A line is "name:", a tab and digits. The name of the program, which comes first, may
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

#define STATUS_SIZE 2048

uint64_t signal_set_of(pid_t tid, const char *name)
{
	char buffer[STATUS_SIZE];

	return task_file_read(tid, "status", buffer, sizeof(buffer)) > 0
		       ? find(buffer, name)
		       : 0;
}

static const char state_name[] = "\nState:\t";

struct signals_sent signal_set_sent(pid_t tid)
{
	char buffer[STATUS_SIZE];
	struct signals_sent sent = { 0 };
	const char *state;

	if (task_file_read(tid, "status", buffer, sizeof(buffer)) <= 0)
		return sent;
	sent.pending = find(buffer, "SigPnd");
	sent.is_traced = find(buffer, "TracerPid") != 0;
	state = strstr(buffer, state_name);
	sent.state = state ? state[strlen(state_name)] : '\0';
	return sent;
}
