/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault [-e ERROR [-s CALL,CALL...]] N COMMAND... - runs a single-threaded command and
 * kills it at its Nth system call, or makes its Nth call, or the Nth of the named calls,
 * fail with ERROR
 *
 * The exit status is the command's, or 137 if it was killed. With N 0 the command runs
 * undisturbed, and the number of its calls is printed on stderr at its end. Counting
 * begins after execve.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *name;
	long number;
} calls[] = {
	{ "openat", SYS_openat },
	{ "openat2", SYS_openat2 },
	{ "read", SYS_read },
	{ "write", SYS_write },
	{ "pread64", SYS_pread64 },
	{ "pwrite64", SYS_pwrite64 },
	{ "fsync", SYS_fsync },
	{ "fdatasync", SYS_fdatasync },
	{ "syncfs", SYS_syncfs },
	{ "renameat2", SYS_renameat2 },
	{ "renameat", SYS_renameat },
	{ "mkdirat", SYS_mkdirat },
	{ "flock", SYS_flock },
	{ "ftruncate", SYS_ftruncate },
	{ "close", SYS_close },
	{ "unlinkat", SYS_unlinkat },
	{ "getdents64", SYS_getdents64 },
	{ "linkat", SYS_linkat },
	{ "symlinkat", SYS_symlinkat },
	{ "fchmod", SYS_fchmod },
	{ "utimensat", SYS_utimensat },
	{ "fchownat", SYS_fchownat },
	{ "lseek", SYS_lseek },
	{ "copy_file_range", SYS_copy_file_range },
	{ "newfstatat", SYS_newfstatat },
	{ "faccessat2", SYS_faccessat2 },
	{ "fstatfs", SYS_fstatfs },
	{ "setresuid", SYS_setresuid },
	{ "setresgid", SYS_setresgid },
	{ "setgroups", SYS_setgroups },
	{ "capget", SYS_capget },
	{ "capset", SYS_capset },
	{ "mmap", SYS_mmap },
	{ "brk", SYS_brk },
};

/* Calls that are never made to fail. AddressSanitizer would not end after a failed
 * munmap. */
static const long safe_calls[] = { SYS_munmap, SYS_exit_group, SYS_rt_sigreturn };

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "ENOSPC", ENOSPC }, { "EIO", EIO },	    { "EINTR", EINTR },
	{ "EMFILE", EMFILE }, { "EINVAL", EINVAL }, { "EBADF", EBADF },
	{ "ENOSYS", ENOSYS }, { "EPERM", EPERM },   { "EXDEV", EXDEV },
	{ "ENOLCK", ENOLCK }, { "EDQUOT", EDQUOT }, { "EROFS", EROFS },
	{ "ENOMEM", ENOMEM },
};

struct fault {
	const char *calls; /* NULL: all */
	int error;	   /* 0: kill */
	unsigned long at;
};

static void fail(const char *what)
{
	fprintf(stderr, "fault: %s\n", what);
	exit(125);
}

static int error_number(const char *name)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (strcmp(errors[i].name, name) == 0)
			return errors[i].number;
	fail("unknown error");
	return 0;
}

static bool is_in_list(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
		if (strncmp(list, name, length) == 0 && strchr(",", list[length]))
			return true;
	return false;
}

static bool is_wanted(const struct fault *fault, long number)
{
	for (size_t i = 0; fault->error && i < sizeof(safe_calls) / sizeof(*safe_calls);
	     i++)
		if (safe_calls[i] == number)
			return false;
	if (!fault->calls)
		return true;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].number == number)
			return is_in_list(fault->calls, calls[i].name);
	return false;
}

static pid_t start(char *command[])
{
	pid_t child = fork();

	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execvp(command[0], command);
		_exit(127);
	}
	return child;
}

/* Continues to the next stop, and passes on the command's own signals. */
static int go_on(pid_t child, enum __ptrace_request how)
{
	int status, signal = 0;

	for (;;) {
		ptrace(how, child, NULL, (void *)(long)signal);
		if (waitpid(child, &status, 0) < 0)
			fail("waitpid");
		if (!WIFSTOPPED(status) || WSTOPSIG(status) == (SIGTRAP | 0x80) ||
		    status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			return status;
		signal = WSTOPSIG(status);
	}
}

static int end_of(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Runs from the entry of the call to its exit, and sets the error as its result. */
static int make_fail(pid_t child, int error, struct user_regs_struct *registers)
{
	int status;

	registers->orig_rax = (unsigned long)-1;
	ptrace(PTRACE_SETREGS, child, NULL, registers);
	status = go_on(child, PTRACE_SYSCALL);
	if (!WIFSTOPPED(status))
		return status;
	registers->rax = (unsigned long)-error;
	ptrace(PTRACE_SETREGS, child, NULL, registers);
	return status;
}

static int run(const struct fault *fault, pid_t child)
{
	unsigned long count = 0;
	int status = go_on(child, PTRACE_CONT); /* to execve */

	if (WIFSTOPPED(status))
		status = go_on(child, PTRACE_SYSCALL); /* its exit */
	while (WIFSTOPPED(status)) {
		struct user_regs_struct registers;

		status = go_on(child, PTRACE_SYSCALL);
		if (!WIFSTOPPED(status))
			break;
		ptrace(PTRACE_GETREGS, child, NULL, &registers);
		if (is_wanted(fault, (long)registers.orig_rax) && ++count == fault->at) {
			if (!fault->error) {
				kill(child, SIGKILL);
				waitpid(child, &status, 0);
				break;
			}
			status = make_fail(child, fault->error, &registers);
			continue;
		}
		status = go_on(child, PTRACE_SYSCALL);
	}
	if (fault->at == 0)
		fprintf(stderr, "%lu\n", count);
	return end_of(status);
}

int main(int argc, char *argv[])
{
	struct fault fault = { 0 };
	int option, status;
	pid_t child;

	while ((option = getopt(argc, argv, "+e:s:")) != -1) {
		if (option == 'e')
			fault.error = error_number(optarg);
		else if (option == 's')
			fault.calls = optarg;
		else
			fail("usage: fault [-e ERROR [-s CALL,...]] N COMMAND...");
	}
	if (argc - optind < 2)
		fail("usage: fault [-e ERROR [-s CALL,...]] N COMMAND...");
	fault.at = strtoul(argv[optind], NULL, 10);
	child = start(argv + optind + 1);
	waitpid(child, &status, 0);
	ptrace(PTRACE_SETOPTIONS, child, NULL,
	       (void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC));
	return run(&fault, child);
}
