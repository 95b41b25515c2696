/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/processes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names become those of functions and directories. */
void process_set_name(struct process *process, const char *name)
{
	snprintf(process->name, sizeof(process->name), "%s", name);
	for (char *at = process->name; *at; at++)
		if ((unsigned char)*at <= ' ' || (unsigned char)*at >= 0x7f ||
		    strchr("/\"'<>&\\`*?|;", *at))
			*at = '_';
	process->root = 0;
}

static void ask_kernel(struct process *process)
{
	char path[64], name[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", process->pid);
	file = fopen(path, "re");
	if (file) {
		if (fgets(name, sizeof(name), file))
			name[strcspn(name, "\n")] = '\0';
		fclose(file);
	}
	process_set_name(process, process->pid == 0 ? "swapper"
				  : name[0]	    ? name
						    : "unknown");
}

static struct process *get(struct numbered *processes, pid_t pid, bool *is_new)
{
	return numbered_get(processes, sizeof(struct process), pid, is_new);
}

struct process *processes_find(struct numbered *processes, pid_t pid)
{
	bool is_new;
	struct process *process = get(processes, pid, &is_new);

	if (process && is_new)
		ask_kernel(process);
	return process;
}

/* Returns the next number that is a name in the directory; 0: there is none. */
static pid_t next_number(DIR *directory)
{
	struct dirent *entry;
	pid_t number = 0;

	while (number <= 0 && directory && (entry = readdir(directory)) != NULL)
		number = (pid_t)strtol(entry->d_name, NULL, 10);
	return number;
}

static void close_directory(DIR *directory)
{
	if (directory)
		closedir(directory);
}

void processes_open(struct numbered *processes)
{
	DIR *directory = opendir("/proc");
	pid_t pid;

	*processes = (struct numbered){ 0 };
	while ((pid = next_number(directory)) > 0)
		processes_find(processes, pid);
	close_directory(directory);
}

/* Returns false if memory runs out. */
static bool add_threads(pid_t **threads, size_t *count, DIR *tasks)
{
	pid_t thread;

	while ((thread = next_number(tasks)) > 0) {
		pid_t *grown = realloc(*threads, (*count + 1) * sizeof(*grown));

		if (!grown)
			return false;
		*threads = grown;
		grown[(*count)++] = thread;
	}
	return true;
}

size_t processes_own_threads(pid_t **threads)
{
	DIR *directory = opendir("/proc");
	bool is_good = true;
	size_t count = 0;
	pid_t pid;

	*threads = NULL;
	while (is_good && (pid = next_number(directory)) > 0) {
		struct stat status;
		char path[64];
		DIR *tasks;

		snprintf(path, sizeof(path), "/proc/%d/task", pid);
		if (pid == getpid() || stat(path, &status) < 0 ||
		    status.st_uid != geteuid())
			continue;
		tasks = opendir(path);
		is_good = add_threads(threads, &count, tasks);
		close_directory(tasks);
	}
	close_directory(directory);
	return count;
}

void processes_close(struct numbered *processes)
{
	struct process *process = NULL;

	while ((process = numbered_next(processes, process)) != NULL)
		mappings_clear(&process->mappings);
	numbered_release(processes);
}

struct process *processes_fork(struct numbered *processes, pid_t pid, pid_t parent)
{
	const struct process *from = processes_find(processes, parent);
	struct process copy, *process;
	bool is_new;

	if (!from)
		return NULL;
	copy = *from;
	process = get(processes, pid, &is_new);
	if (!process)
		return NULL;
	mappings_clear(&process->mappings);
	*process = (struct process){ .pid = pid,
				     .parent = parent,
				     .threads = 1,
				     .is_followed = copy.is_followed,
				     .has_waits = copy.has_waits };
	process_set_name(process, copy.name);
	mappings_copy(&process->mappings, &copy.mappings);
	return process;
}
