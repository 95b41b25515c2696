/* SPDX-License-Identifier: Apache-2.0 */
/* For programs that open the collector's libraries as a debugger would make them: what
 * it does, and what is left of it. */
#ifndef TESTS_LATE_H
#define TESTS_LATE_H

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what a debugger does ---- */

static char *buffer;
static int (*start)(void);
static void (*end)(void), (*pause_all)(void), (*resume_all)(void), (*status)(void);
static void (*sample)(const char *);
static uint64_t (*mask_after)(uint64_t);
static const char *parameters;

static void *find(void *library, const char *name)
{
	void *found = dlsym(library, name);

	if (!found)
		exit(98);
	return found;
}

static void open_libraries(char *names)
{
	void *first = NULL;

	for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
		void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);

		if (!library) {
			puts(dlerror());
			exit(98);
		}
		first = first ? first : library;
	}
	buffer = find(first, "__collector_buffer");
	*(void **)&start = find(first, "__collector_start");
	*(void **)&end = find(first, "__collector_terminate_expt");
	*(void **)&pause_all = find(first, "__collector_pause");
	*(void **)&resume_all = find(first, "__collector_resume");
	*(void **)&sample = find(first, "__collector_sample");
	*(void **)&status = find(first, "__collector_status");
	*(void **)&mask_after = find(first, "__collector_mask");
}

static int try_with(const char *experiment, const char *variable)
{
	char directory[PATH_MAX];
	int length;

	mkdir(experiment, 0755);
	if (!realpath(experiment, directory))
		exit(98);
	length = sprintf(buffer, "SP_COLLECTOR_EXPNAME=%s", directory) + 1;
	length += sprintf(buffer + length, "SP_COLLECTOR_PARAMS=%s", parameters) + 1;
	length += sprintf(buffer + length, "%s", variable) + 1;
	buffer[length] = '\0';
	return start();
}

static void begin(const char *experiment)
{
	int rc = try_with(experiment, "");

	if (rc != 0) {
		printf("start: %d: %s\n", rc, buffer);
		exit(97);
	}
}

/* ---- what is left of it ---- */

struct traces {
	char text[1 << 16];
	size_t length;
};

static void add_lines(struct traces *traces, const char *path, const char *beginning)
{
	FILE *file = fopen(path, "re");
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, beginning, strlen(beginning)) == 0)
			traces->length += (size_t)snprintf(
				traces->text + traces->length,
				sizeof(traces->text) - traces->length, "%s", line);
	if (file)
		fclose(file);
}

/* The descriptors, timers and handlers of the process, and the masks of its threads. */
static void note(struct traces *traces)
{
	static const char *const words[] = { "SigCgt", "SigIgn" };
	char path[300];
	struct dirent *entry;
	DIR *directory = opendir("/proc/self/task");

	traces->length = 0;
	for (int i = 0; i < 2; i++)
		add_lines(traces, "/proc/self/status", words[i]);
	add_lines(traces, "/proc/self/timers", "");
	while (directory && (entry = readdir(directory)) != NULL) {
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", entry->d_name);
		add_lines(traces, path, "SigBlk");
	}
	if (directory)
		closedir(directory);
	for (int fd = 0; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			traces->length +=
				(size_t)snprintf(traces->text + traces->length,
						 sizeof(traces->text) - traces->length,
						 "descriptor %d\n", fd);
}

static struct traces before, after;

static void compare(void)
{
	note(&after);
	if (before.length == after.length &&
	    memcmp(before.text, after.text, before.length) == 0)
		puts("nothing is left");
	else
		printf("before:\n%safter:\n%s", before.text, after.text);
}

#endif
