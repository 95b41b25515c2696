/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the program to record, and refusing one that would give an empty experiment:
 * nothing can be preloaded into a static program (see outside.c), nor into one that
 * changes user. Only the file's headers and the names of its libraries are read, by hand:
 * loading an ELF library would cost more than everything else that collect does.
 */
#include "collector/target/target.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/cli/cli.h"

#define INTERPRETERS_MAX 5 /* scripts interpreted by scripts; the kernel's limit */

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#else
#error "cannot record on this processor: no library for it"
#endif

enum verdict { CAN_RECORD, IS_SCRIPT, IS_STATIC, OTHER_MACHINE, IS_32_BIT, IS_DAMAGED };

/* Check whether the program headers name a dynamic loader. */
static enum verdict check_program_headers(int fd, const Elf64_Ehdr *header)
{
	for (unsigned i = 0; i < header->e_phnum; i++) {
		off_t offset =
			(off_t)(header->e_phoff + (uint64_t)i * sizeof(Elf64_Phdr));
		Elf64_Phdr segment;

		if (io_pread_full(fd, &segment, sizeof(segment), offset) !=
		    sizeof(segment))
			return IS_DAMAGED;
		if (segment.p_type == PT_INTERP)
			return CAN_RECORD;
	}
	return IS_STATIC;
}

static enum verdict check_file(struct target *target, int fd)
{
	Elf64_Ehdr header = {};
	ssize_t got = io_pread_full(fd, &header, sizeof(header), 0);

	if (got < SELFMAG || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return IS_SCRIPT;
	if (got <= EI_CLASS)
		return IS_DAMAGED;
	if (header.e_ident[EI_CLASS] == ELFCLASS32)
		return IS_32_BIT;
	if (got != sizeof(header) || header.e_ident[EI_CLASS] != ELFCLASS64)
		return IS_DAMAGED;
	if (header.e_machine != OUR_MACHINE)
		return OTHER_MACHINE;
	if (header.e_phentsize != sizeof(Elf64_Phdr))
		return IS_DAMAGED;
	sanitizer_find_needed(fd, &header, target->sanitizer);
	return check_program_headers(fd, &header);
}

/* Programs that gain privilege drop the preloaded library. Scripts never gain any. */
static bool gains_privilege(int fd, const struct stat *status)
{
	if ((status->st_mode & S_ISUID) && status->st_uid != geteuid())
		return true;
	if ((status->st_mode & S_ISGID) && (status->st_mode & S_IXGRP) &&
	    status->st_gid != getegid())
		return true;
	return fgetxattr(fd, "security.capability", NULL, 0) > 0 && geteuid() != 0;
}

static int refuse(const char *path, const char *why)
{
	if (getenv(SKIP_CHECK)) {
		cli_warn("'%s' %s", path, why);
		return CLI_OK;
	}
	cli_error("cannot record '%s': it %s", path, why);
	return STATUS_CANNOT_RUN;
}

static int check_interpreter(struct target *target, int script, const char *path,
			     int depth);

static int check_target(struct target *target, const char *path, int depth)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	enum verdict verdict;
	struct stat status;

	/* A file that can be executed but not read is recorded unchecked. */
	if (fd < 0 && errno == EACCES)
		return CLI_OK;
	if (fd < 0 || fstat(fd, &status) < 0) {
		cli_error("cannot open '%s': %s", path, strerrordesc_np(errno));
		return STATUS_CANNOT_RUN;
	}
	verdict = check_file(target, fd);
	if (verdict != IS_SCRIPT && gains_privilege(fd, &status))
		return refuse(path, "runs with other privileges (set-user-ID, "
				    "set-group-ID or capabilities)");
	switch (verdict) {
	case IS_SCRIPT:
		target->is_script = true;
		return check_interpreter(target, fd, path, depth);
	case IS_STATIC:
		target->is_static = true;
		break;
	case IS_32_BIT:
		return refuse(path, "is a 32-bit program");
	case OTHER_MACHINE:
		return refuse(path, "is for another processor");
	case IS_DAMAGED:
		return refuse(path, "is a truncated ELF file");
	case CAN_RECORD:
		break;
	}
	return CLI_OK;
}

static int cannot_run(const char *path, int error)
{
	cli_error("cannot run '%s': %s", path, strerrordesc_np(error));
	return STATUS_CANNOT_RUN;
}

/* Check the interpreter named by #!, which is what will be recorded. A script that names
 * none is run by the shell. The name ends as for the kernel, so not at a carriage
 * return. */
static int check_interpreter(struct target *target, int script, const char *path,
			     int depth)
{
	char line[256];
	ssize_t length = io_pread_full(script, line, sizeof(line) - 1, 0);
	char *name = line + 2;
	int error;

	if (length < 2 || line[0] != '#' || line[1] != '!')
		return CLI_OK;
	line[length] = '\0';
	name += strspn(name, " \t");
	name[strcspn(name, " \t\n")] = '\0';
	if (*name == '\0')
		return CLI_OK;
	if (depth == INTERPRETERS_MAX)
		return cannot_run(path, ELOOP);
	if (access(name, X_OK) < 0) {
		error = errno;
		cli_error("cannot run '%s': its interpreter '%s': %s", path, name,
			  strerrordesc_np(error));
		return error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
	}
	return check_target(target, name, depth + 1);
}

/* Check that the file is regular and executable, or return the status a shell would. */
static int check_executable(const char *path, const char **reason)
{
	struct stat status;

	if (stat(path, &status) < 0) {
		*reason = strerrordesc_np(errno);
		return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
	}
	*reason = NULL;
	if (S_ISDIR(status.st_mode))
		*reason = "it is a directory";
	else if (!S_ISREG(status.st_mode))
		*reason = "it is not a regular file";
	else if (access(path, X_OK) < 0)
		*reason = "it is not executable";
	return *reason ? STATUS_CANNOT_RUN : CLI_OK;
}

/* Find the first executable of that name along PATH; *found_other is set if there are
 * only files that are not executable, directories not counted. */
static char *search_path(const char *name, bool *found_other)
{
	const char *path = getenv("PATH");
	char *candidate;

	*found_other = false;
	if (!path)
		path = "/bin:/usr/bin";
	for (;; path++) {
		int length = (int)strcspn(path, ":");
		const char *reason;

		if (asprintf(&candidate, "%.*s%s%s", length, path, length ? "/" : "",
			     name) < 0)
			return NULL;
		if (check_executable(candidate, &reason) == CLI_OK)
			return candidate;
		*found_other |= access(candidate, X_OK) < 0 &&
				access(candidate, F_OK) == 0;
		free(candidate);
		path += length;
		if (*path == '\0')
			return NULL;
	}
}

bool target_is_on_path(const char *name)
{
	bool found_other;
	cleanup_free char *path = search_path(name, &found_other);

	return path || found_other;
}

int target_find(struct target *target, const char *name)
{
	int status = STATUS_NOT_FOUND;
	const char *reason;
	bool found_other;

	*target = (struct target){};
	if (strchr(name, '/')) {
		status = check_executable(name, &reason);
		if (status == CLI_OK)
			target->path = strdup(name);
	} else {
		target->path = search_path(name, &found_other);
		reason = "it is not executable";
		if (!target->path && found_other)
			status = STATUS_CANNOT_RUN;
	}
	if (target->path)
		return check_target(target, target->path, 0);
	if (status == STATUS_CANNOT_RUN)
		cli_error("cannot run '%s': %s", name, reason);
	else
		cli_error("cannot find '%s'", name);
	return status;
}
