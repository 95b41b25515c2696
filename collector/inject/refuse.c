/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/refuse.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/inject/libraries.h"
#include "collector/tracee/status.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"

#define YAMA "/proc/sys/kernel/yama/ptrace_scope"

static int refuse(pid_t process, const char *why)
{
	return cli_error("cannot record process %d: it %s", (int)process, why);
}

/* Returns how much the kernel restricts tracing: 1: to own children, 2: to root, 3: it
 * allows none; 0: it does not. */
static uint64_t restriction(void)
{
	cleanup_fd int fd = open(YAMA, O_RDONLY | O_CLOEXEC);
	char text[16];
	uint64_t scope;
	ssize_t length = fd < 0 ? -1 : io_read_full(fd, text, sizeof(text) - 1);

	if (length <= 0)
		return 0;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return number_u64(&scope, text) ? scope : 0;
}

/* Whether /proc is that of our PID namespace: another one numbers processes otherwise. */
static bool proc_is_ours(void)
{
	char text[16] = "";
	uint64_t self;

	return readlink("/proc/self", text, sizeof(text) - 1) < 0 ||
	       !number_u64(&self, text) || self == (uint64_t)getpid();
}

#define KTHREADD 2

/* One that is about to end has no memory any more, either. */
static bool is_of_kernel(pid_t process, const struct process_status *status)
{
	return !status->has_memory && (process == KTHREADD || status->parent == KTHREADD);
}

/* Refuse states in which nothing can be done. */
static int check_state(pid_t process, const struct process_status *status)
{
	if (status->state == 'Z')
		return refuse(process, status->threads > 1 ? "has no main thread any more"
							   : "has ended");
	if (!status->has_memory)
		return refuse(process, is_of_kernel(process, status)
					       ? "is a thread of the kernel"
					       : "has ended");
	if (status->tracer)
		return cli_error("cannot record process %d: process %d debugs it",
				 (int)process, (int)status->tracer);
	if (status->state == 'T' || status->state == 't')
		return refuse(process, "is stopped: send it the signal CONT first");
	return CLI_OK;
}

int refuse_untraceable(pid_t process)
{
	struct process_status status;
	uint64_t scope = restriction();

	/* It may have changed since it was looked at. */
	if (process_status_read(&status, process) == 0 &&
	    check_state(process, &status) != CLI_OK)
		return CLI_FAILED;

	if (scope >= 3)
		return cli_error("cannot record process %d: " YAMA
				 " is %lu: tracing is not permitted",
				 (int)process, (unsigned long)scope);
	if (scope > 0 && geteuid() != 0)
		return cli_error("cannot record process %d: " YAMA
				 " is %lu: run collect as root, or start the program "
				 "with it",
				 (int)process, (unsigned long)scope);
	return cli_error("cannot record process %d: Operation not permitted: it has "
			 "rights that you have not",
			 (int)process);
}

/* Check what it executes: -EACCES if that is not permitted. */
static int check_program(pid_t process)
{
	unsigned char head[EI_NIDENT];
	cleanup_fd int fd = -1;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)process);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == EACCES)
		return refuse_untraceable(process);
	if (fd < 0)
		return cli_error("cannot record process %d: cannot open '%s': %s",
				 (int)process, path, strerrordesc_np(errno));
	if (io_pread_full(fd, head, sizeof(head), 0) == sizeof(head) &&
	    head[EI_CLASS] == ELFCLASS32)
		return refuse(process, "is a 32-bit program");
	return CLI_OK;
}

/* Whether the path leads to the same file for the process as for us. */
static bool sees(pid_t process, const char *path)
{
	struct stat ours, its;
	cleanup_free char *name = NULL;

	return asprintf(&name, "/proc/%d/root%s", (int)process, path) >= 0 &&
	       stat(path, &ours) == 0 && stat(name, &its) == 0 && io_is_same(&ours, &its);
}

int refuse_unseen(pid_t process, const char *path)
{
	return sees(process, path) ? CLI_OK
				   : cli_error("cannot record process %d: in its root "
					       "directory there is no '%s'",
					       (int)process, path);
}

static int check_library(void *process, const char *path)
{
	return refuse_unseen(*(const pid_t *)process, path);
}

/* A child of vfork(2) may do nothing but execute a program: what is changed in its memory
 * is changed in its parent. Kernels without kcmp(2) do not tell. */
static bool shares_memory(pid_t process, pid_t parent)
{
	return parent > 0 && syscall(SYS_kcmp, process, parent, KCMP_VM, 0, 0) == 0;
}

/* Returns true if a system call filter is in force for one of the threads: each has its
 * own, and the status of the process is that of the first one. */
static bool has_filter(pid_t process)
{
	cleanup_free char *path = NULL;
	struct process_status status;
	bool is_found = false;
	struct dirent *entry;
	DIR *tasks = NULL;

	if (asprintf(&path, "/proc/%d/task", (int)process) >= 0)
		tasks = opendir(path);
	while (tasks && !is_found && (entry = readdir(tasks)))
		is_found = entry->d_name[0] != '.' &&
			   process_status_read(&status, atoi(entry->d_name)) == 0 &&
			   status.has_filter;
	if (tasks)
		closedir(tasks);
	return is_found;
}

int refuse_process(pid_t process, const struct process_status *status,
		   const char *libraries)
{
	int rc;

	if (!proc_is_ours())
		return cli_error("cannot record process %d: /proc is that of another PID "
				 "namespace",
				 (int)process);
	if (process == getpid())
		return refuse(process, "is collect itself");
	rc = check_state(process, status);
	if (rc != CLI_OK)
		return rc;
	if (shares_memory(process, status->parent))
		return refuse(process, "shares its memory with its parent, until it "
				       "executes a program");
	if (status->has_filter || has_filter(process))
		return refuse(process, "runs in a sandbox (seccomp) that may forbid what "
				       "a recording needs");
	rc = check_program(process);
	return rc == CLI_OK ? libraries_visit(libraries, check_library, &process) : rc;
}
