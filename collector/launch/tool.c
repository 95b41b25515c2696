/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/inject/interrupts.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/time.h"
#include "libexpt/format.h"

/* ---- in the child ---- */

/* A user may look at what runs with his rights, so root's variables are not for him. */
static void keep_language(void)
{
	static const char *const names[] = { "PATH", "LANG", "LC_ALL", "LC_MESSAGES" };
	char *values[sizeof(names) / sizeof(*names)];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		values[i] = getenv(names[i]);
	clearenv();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (values[i])
			setenv(names[i], values[i], 1);
}

static bool become_owner(const struct stat *owner)
{
	if (!owner || geteuid() != 0 || owner->st_uid == 0)
		return true;
	keep_language();
	return setgroups(0, NULL) == 0 &&
	       setresgid(owner->st_gid, owner->st_gid, owner->st_gid) == 0 &&
	       setresuid(owner->st_uid, owner->st_uid, owner->st_uid) == 0;
}

/* The owner may have put anything there: a link, or a pipe without a reader. */
static bool open_output(const struct tool *tool, int *output)
{
	*output = tool->output;
	if (!tool->file)
		return true;
	*output = openat(tool->directory, tool->file,
			 O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK |
				 O_CLOEXEC,
			 FILE_MODE);
	return *output >= 0;
}

/* Nothing of ours must reach a user who may look into it. */
static bool set_descriptors(const struct tool *tool)
{
	int none = open("/dev/null", O_RDONLY), output;

	if (none < 0 || !open_output(tool, &output) || dup2(none, STDIN_FILENO) < 0)
		return false;
	if (output >= 0 &&
	    (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0))
		return false;
	return close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0 ||
	       !tool->owner;
}

/* The answer is an errno, and is missing if the tool runs. */
static void run(const struct tool *tool, int answer)
{
	int above = fcntl(answer, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), error;
	sigset_t none;

	sigemptyset(&none);
	setsid();
	if (become_owner(tool->owner) && set_descriptors(tool) &&
	    sigprocmask(SIG_SETMASK, &none, NULL) == 0)
		execvp(tool->words[0], (char *const *)tool->words);
	error = errno;
	_exit(io_write_all(above, &error, sizeof(error)) < 0);
}

/* ---- in collect ---- */

/* If our own parent ignores the ends of children, so do we, and ends have no status. */
static void expect_end(struct tool *tool)
{
	const struct sigaction expect = { .sa_handler = SIG_DFL };

	sigaction(SIGCHLD, &expect, &tool->former);
}

static int finish(struct tool *tool, int rc)
{
	sigaction(SIGCHLD, &tool->former, NULL);
	return rc;
}

int tool_start(struct tool *tool)
{
	cleanup_fd int answer = -1;
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	answer = ends[0];
	expect_end(tool);
	tool->process = fork();
	if (tool->process == 0)
		run(tool, ends[1]);
	error = errno;
	close(ends[1]);
	if (tool->process < 0)
		return finish(tool, -error);
	if (io_read_full(answer, &error, sizeof(error)) != sizeof(error))
		return 0;
	tool_wait(tool);
	return -error;
}

int tool_wait(struct tool *tool)
{
	int rc;

	do
		rc = waitpid(tool->process, &tool->status, 0) < 0 ? -errno : 0;
	while (rc == -EINTR);
	return finish(tool, rc);
}

int tool_wait_within(struct tool *tool, unsigned *interrupts, unsigned limit)
{
	uint64_t end = tool->seconds ? time_now_ns() + tool->seconds * NS_PER_SECOND
				     : UINT64_MAX;
	pid_t ended;

	while ((ended = waitpid(tool->process, &tool->status, WNOHANG)) == 0) {
		if (interrupts_take() && ++*interrupts >= limit)
			return -EINTR;
		if (time_now_ns() > end)
			return -ETIMEDOUT;
	}
	return finish(tool, ended < 0 ? -errno : 0);
}
