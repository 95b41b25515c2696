/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/processes.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FREE_SLOT (-1)

static struct process *slot_of(const struct processes *processes, pid_t pid)
{
	size_t at = (uint32_t)pid * UINT32_C(2654435761) & (processes->size - 1);

	while (processes->slots[at].pid != FREE_SLOT && processes->slots[at].pid != pid)
		at = (at + 1) & (processes->size - 1);
	return &processes->slots[at];
}

static bool grow(struct processes *processes)
{
	struct processes old = *processes;

	processes->size = old.size > 0 ? 2 * old.size : 1024;
	processes->slots = malloc(processes->size * sizeof(*processes->slots));
	if (!processes->slots) {
		*processes = old;
		return false;
	}
	for (size_t i = 0; i < processes->size; i++)
		processes->slots[i].pid = FREE_SLOT;
	for (size_t i = 0; i < old.size; i++)
		if (old.slots[i].pid != FREE_SLOT)
			*slot_of(processes, old.slots[i].pid) = old.slots[i];
	free(old.slots);
	return true;
}

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

static struct process *get(struct processes *processes, pid_t pid, bool *is_new)
{
	struct process *slot;

	if (processes->used * 4 >= processes->size * 3 && !grow(processes))
		return NULL;
	slot = slot_of(processes, pid);
	*is_new = slot->pid == FREE_SLOT;
	if (*is_new) {
		*slot = (struct process){ .pid = pid };
		processes->used++;
	}
	return slot;
}

struct process *processes_known(const struct processes *processes, pid_t pid)
{
	struct process *slot = processes->size > 0 ? slot_of(processes, pid) : NULL;

	return slot && slot->pid == pid ? slot : NULL;
}

struct process *processes_find(struct processes *processes, pid_t pid)
{
	bool is_new;
	struct process *process = get(processes, pid, &is_new);

	if (process && is_new)
		ask_kernel(process);
	return process;
}

void processes_open(struct processes *processes)
{
	DIR *directory = opendir("/proc");
	struct dirent *entry;

	*processes = (struct processes){ 0 };
	while (directory && (entry = readdir(directory)) != NULL) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 0)
			processes_find(processes, pid);
	}
	if (directory)
		closedir(directory);
}

void processes_close(struct processes *processes)
{
	for (size_t i = 0; i < processes->size; i++)
		if (processes->slots[i].pid != FREE_SLOT)
			mappings_clear(&processes->slots[i].mappings);
	free(processes->slots);
	*processes = (struct processes){ 0 };
}

struct process *processes_fork(struct processes *processes, pid_t pid, pid_t parent)
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
