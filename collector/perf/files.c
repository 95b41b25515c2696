/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/outside/walk.h"
#include "libexpt/base/cleanup.h"

#define VDSO "[vdso]"

struct recorded_file {
	const char *name;
	uint64_t device, inode;
	const char *build_id; /* as recorded, or "" */
	struct binary *binary;
};

/* ---- opening ---- */

/* Reading some files of these has effects, and none has code. */
static bool has_real_files(int fd)
{
	static const uint32_t others[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC,	      DEBUGFS_MAGIC,	   TRACEFS_MAGIC,
		SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,
		PSTOREFS_MAGIC,	  EFIVARFS_MAGIC,     DEVPTS_SUPER_MAGIC,  BINFMTFS_MAGIC,
	};
	struct statfs status;

	if (fstatfs(fd, &status) < 0)
		return false;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if ((uint32_t)status.f_type == others[i])
			return false;
	return true;
}

/* Returns a descriptor, or -1. Nothing but a regular file is opened: with O_PATH, other
 * kinds of files do not notice it. */
static int open_regular(const char *name, struct stat *status)
{
	cleanup_fd int path = open(name, O_PATH | O_CLOEXEC);
	char self[64];

	if (path < 0 || fstat(path, status) < 0 || !S_ISREG(status->st_mode) ||
	    !has_real_files(path))
		return -1;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", path);
	return open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

struct reading {
	struct binary *binary;
	int fd;
	const struct stat *status;
};

static void read_binary(void *data)
{
	const struct reading *reading = data;

	binary_read(reading->binary, reading->fd, reading->status);
}

/* Without a build-id, the file may have been replaced since: by another one, or in
 * place. */
static bool is_the_one(const struct files *files, const struct recorded_file *file,
		       const struct binary *binary, const struct stat *status)
{
	if (file->build_id[0] != '\0')
		return strcmp(binary->build_id, file->build_id) == 0;
	return file->inode != 0 && status->st_ino == file->inode &&
	       timespec_ns(&status->st_mtim) <= files->recording->modified_ns;
}

/* Returns the binary of the file that is here, if it is the one, or else of none. */
static struct binary *read_file(const struct files *files,
				const struct recorded_file *file)
{
	struct binary *binary = binary_new(file->name);
	struct stat status;
	cleanup_fd int fd = open_regular(file->name, &status);
	struct reading reading = { binary, fd, &status };

	if (!binary)
		return NULL;
	if (fd >= 0 && walk_read(read_binary, &reading) &&
	    is_the_one(files, file, binary, &status)) {
		binary->is_named = true;
		return binary;
	}
	binary_free(binary);
	binary = binary_new(file->name);
	if (binary)
		snprintf(binary->build_id, sizeof(binary->build_id), "%s",
			 file->build_id);
	return binary;
}

/* ---- all files ---- */

static int compare(const void *a, const void *b)
{
	const struct recorded_file *x = a, *y = b;
	int by_name = strcmp(x->name, y->name);

	if (by_name != 0)
		return by_name;
	if (x->inode != y->inode)
		return x->inode < y->inode ? -1 : 1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return strcmp(x->build_id, y->build_id);
}

static void free_file(void *data)
{
	struct recorded_file *file = data;

	free((char *)file->build_id);
	free((char *)file->name);
	binary_free(file->binary);
	free(file);
}

static struct recorded_file *copy(const struct recorded_file *from)
{
	struct recorded_file *file = malloc(sizeof(*file));

	if (!file)
		return NULL;
	*file = *from;
	file->name = strdup(from->name);
	file->build_id = strdup(from->build_id);
	if (file->name && file->build_id)
		return file;
	free_file(file);
	return NULL;
}

struct binary *files_get(struct files *files, const struct event *event)
{
	const struct perf_record *record = &event->record;
	struct recorded_file key = { .name = record->name,
				     .device = record->device,
				     .inode = record->inode,
				     .build_id = event->build_id };
	struct recorded_file **found, *file;

	if (strcmp(key.name, VDSO) == 0)
		return files->has_vdso ? binary_of_vdso() : NULL;
	if (key.name[0] != '/' || key.name[1] == '/')
		return NULL;
	if (key.build_id[0] == '\0')
		key.build_id = features_build_id(files->features, key.name);
	found = tfind(&key, &files->tree, compare);
	if (found)
		return (*found)->binary;
	file = copy(&key);
	if (!file)
		return NULL;
	file->binary = read_file(files, file);
	if (tsearch(file, &files->tree, compare))
		return file->binary;
	free_file(file);
	return NULL;
}

void files_release(struct files *files)
{
	tdestroy(files->tree, free_file);
	binaries_release();
}
