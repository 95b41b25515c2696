/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/tracee/status.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"

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

/* A process may have many groups, and they are in one line. */
static int read_text(char **text, pid_t process)
{
	char path[32];
	size_t size = 0;
	FILE *file;
	int rc = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)process);
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT ? -ESRCH : -errno;
	if (getdelim(text, &size, '\0', file) < 0)
		rc = ferror(file) ? -errno : -ESRCH;
	fclose(file);
	return rc;
}

int process_status_read(struct process_status *status, pid_t process)
{
	cleanup_free char *text = NULL;
	int rc = read_text(&text, process);

	if (rc < 0)
		return rc;
	*status = (struct process_status){
		.group = (pid_t)first_number(find_line(text, "Tgid:")),
		.own = (pid_t)last_number(find_line(text, "NSpid:")),
		.parent = (pid_t)first_number(find_line(text, "PPid:")),
		.tracer = (pid_t)first_number(find_line(text, "TracerPid:")),
		.threads = first_number(find_line(text, "Threads:")),
		.state = *find_line(text, "State:"),
		.has_memory = *find_line(text, "VmSize:"),
		.has_filter = first_number(find_line(text, "Seccomp:")) != 0,
		.pending = bits(find_line(text, "SigPnd:")) |
			   bits(find_line(text, "ShdPnd:")),
		.ignored = bits(find_line(text, "SigIgn:")),
		.caught = bits(find_line(text, "SigCgt:")),
		.pauses = first_number(find_line(text, "voluntary_ctxt_switches:")),
		.user = (uid_t)last_number(find_line(text, "Uid:")),
		.user_group = (gid_t)last_number(find_line(text, "Gid:")),
	};
	return 0;
}

static bool has_ended(pid_t thread)
{
	struct process_status status;

	return process_status_read(&status, thread) < 0 || strchr("XZ", status.state);
}

pid_t process_live_thread(pid_t process)
{
	pid_t thread = process;
	const struct dirent *entry;
	char path[32];
	DIR *dir = NULL;

	if (has_ended(process)) {
		snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
		dir = opendir(path);
	}
	while (dir && has_ended(thread) && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			thread = (pid_t)strtol(entry->d_name, NULL, 10);
	if (dir)
		closedir(dir);
	return thread;
}
