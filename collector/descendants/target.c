/* SPDX-License-Identifier: Apache-2.0 */
/* Inspection of the file before an exec. A wrong guess costs data or a message, never the
 * exec. */

#include "collector/descendants/target.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/common/settings.h"

#define HEAD_SIZE	 1024
#define INTERPRETERS_MAX 4 /* scripts whose interpreter is a script */
#define LOADER_PREFIX	 "ld-linux"

const char *target_reason(enum target target)
{
	switch (target) {
	case TARGET_STATIC:
		return "statically linked";
	case TARGET_PRIVILEGED:
		return "set-user-id, set-group-id or file capabilities";
	case TARGET_FOREIGN:
		return "not for this machine or C library";
	case TARGET_ELSEWHERE:
		return "in a root directory without the recording library";
	default:
		return NULL;
	}
}

static enum target inspect(int directory, const char *path, int depth, char *sanitizer);

static bool is_privileged(int fd, const struct stat *status)
{
	uid_t user = (uid_t)system_call(SYS_geteuid, 0, 0, 0, 0, 0, 0);
	gid_t group = (gid_t)system_call(SYS_getegid, 0, 0, 0, 0, 0, 0);

	if ((status->st_mode & S_ISUID) != 0 && status->st_uid != user)
		return true;
	if ((status->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
	    status->st_gid != group)
		return true;
	return user != 0 && system_call(SYS_fgetxattr, fd, (long)"security.capability", 0,
					0, 0, 0) > 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Read only the end of the loader's path: threads with small stacks execute, too. */
static enum target inspect_loader(int fd, const Elf64_Phdr *segment)
{
	char name[256];
	size_t size = segment->p_filesz < sizeof(name) ? segment->p_filesz : sizeof(name);
	off_t at = (off_t)(segment->p_offset + segment->p_filesz - size);
	ssize_t length = sys_pread(fd, name, size, at);

	if (length <= 0)
		return TARGET_FOREIGN;
	name[length - 1] = '\0';
	return strncmp(base_name(name), LOADER_PREFIX, strlen(LOADER_PREFIX)) == 0
		       ? TARGET_FOLLOWED
		       : TARGET_FOREIGN;
}

static enum target inspect_elf(int fd, const Elf64_Ehdr *header, char *sanitizer)
{
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64)
		return TARGET_FOREIGN;
	for (unsigned i = 0; i < header->e_phnum; i++) {
		Elf64_Phdr segment;
		off_t at = (off_t)(header->e_phoff + i * sizeof(segment));

		if (sys_pread(fd, &segment, sizeof(segment), at) != sizeof(segment))
			break;
		if (segment.p_type == PT_INTERP) {
			sanitizer_find_needed(fd, header, sanitizer);
			return inspect_loader(fd, &segment);
		}
	}
	return TARGET_STATIC;
}

/* "#! interpreter argument" */
static enum target inspect_script(char *head, int depth, char *sanitizer)
{
	char *name = head + 2 + strspn(head + 2, " \t");

	name[strcspn(name, " \t\n")] = '\0';
	return depth > 0 ? inspect(AT_FDCWD, name, depth - 1, sanitizer) : TARGET_FOREIGN;
}

static enum target inspect_file(int fd, int depth, char *sanitizer)
{
	struct stat status;
	char head[HEAD_SIZE] __attribute__((aligned(8)));
	ssize_t length;

	if (sys_fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) ||
	    (status.st_mode & 0111) == 0)
		return TARGET_MISSING;
	length = sys_pread(fd, head, sizeof(head) - 1, 0);
	head[length > 0 ? length : 0] = '\0';
	if (strncmp(head, "#!", 2) ==
	    0) /* mode bits do not matter: scripts gain no privileges */
		return inspect_script(head, depth, sanitizer);
	if (is_privileged(fd, &status))
		return TARGET_PRIVILEGED;
	if (length < 4)
		return TARGET_FOLLOWED;
	if (memcmp(head, ELFMAG, SELFMAG) == 0 && (size_t)length >= sizeof(Elf64_Ehdr))
		return inspect_elf(fd, (const Elf64_Ehdr *)(const void *)head, sanitizer);
	return TARGET_FOLLOWED; /* another format, or a script without its first line */
}

static enum target inspect(int directory, const char *path, int depth, char *sanitizer)
{
	int fd = sys_openat(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	enum target target;

	if (fd < 0) /* a program may be executable and not readable */
		return fd == -EACCES ? TARGET_FOLLOWED : TARGET_MISSING;
	target = inspect_file(fd, depth, sanitizer);
	sys_close(fd);
	return target;
}

/* Can the loader find the libraries? After chroot() or in a container it would complain
 * about each of them in the program's name. All are in one directory: check the first. */
static bool is_library_here(void)
{
	char buffer[PATH_MAX];
	struct text path = TEXT_ON(buffer);

	text_add_bytes(&path, settings.preload, strcspn(settings.preload, " :"));
	return path.is_cut || sys_access(path.start, F_OK) == 0;
}

enum target target_inspect(int directory, const char *path,
			   char sanitizer[static SANITIZER_NAME_SIZE])
{
	enum target target = TARGET_MISSING;

	sanitizer[0] = '\0';
	if (!path)
		return TARGET_MISSING;
	if (path[0] != '\0')
		target = inspect(directory, path, INTERPRETERS_MAX, sanitizer);
	else if (directory >= 0)
		target = inspect_file(directory, INTERPRETERS_MAX, sanitizer);
	return target == TARGET_FOLLOWED && !is_library_here() ? TARGET_ELSEWHERE
							       : target;
}

enum target target_inspect_in_path(const char *file, struct text *found,
				   char sanitizer[static SANITIZER_NAME_SIZE])
{
	const char *list = getenv("PATH"), *next;

	sanitizer[0] = '\0';
	if (!file || file[0] == '\0')
		return TARGET_MISSING;
	if (strchr(file, '/')) {
		if (found)
			text_add(found, file);
		return target_inspect(AT_FDCWD, file, sanitizer);
	}
	for (list = list ? list : "/bin:/usr/bin"; list; list = next) {
		char buffer[PATH_MAX];
		struct text path = TEXT_ON(buffer);
		size_t length = strcspn(list, ":");
		enum target target;

		next = list[length] == ':' ? list + length + 1 : NULL;
		text_add_bytes(&path, list, length);
		text_add(&path, length > 0 ? "/" : "");
		text_add(&path, file);
		if (path.is_cut)
			continue;
		target = target_inspect(AT_FDCWD, path.start, sanitizer);
		if (target == TARGET_MISSING)
			continue;
		if (found)
			text_add(found, path.start);
		return target;
	}
	return TARGET_MISSING;
}
