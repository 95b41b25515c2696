/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/load.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/launch/execute.h"
#include "collector/launch/messages.h"
#include "collector/target/target.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/cli/cli.h"

/* ---- the program ---- */

/* Returns 0 if it can be executed, or an errno. */
static int check_file(const char *path)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return errno;
	if (!S_ISREG(status.st_mode))
		return EACCES;
	return access(path, X_OK) < 0 ? errno : 0;
}

/* Returns 0 and the path, to be freed, or an errno. */
static int search(char **path, const char *name)
{
	const char *along = getenv("PATH");
	int error = ENOENT;

	if (!along)
		along = "/bin:/usr/bin";
	for (; *along; along += strspn(along, ":")) {
		size_t length = strcspn(along, ":");
		int result;

		if (asprintf(path, "%.*s/%s", (int)length, along, name) < 0)
			return ENOMEM;
		result = check_file(*path);
		if (result == 0)
			return 0;
		if (result == EACCES)
			error = result;
		free(*path);
		along += length;
	}
	return error;
}

int load_find(char **path, const char *name)
{
	char *found = NULL;
	int error;

	if (!strchr(name, '/'))
		error = search(&found, name);
	else if ((error = check_file(name)) == 0 && !(found = strdup(name)))
		error = ENOMEM;
	if (error == 0) {
		*path = found;
		return CLI_OK;
	}
	cli_error("cannot run '%s': %s", name, strerrordesc_np(error));
	return error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

/* ---- its process ---- */

static bool is_binary(const char *path)
{
	char start[SELFMAG] = "";
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd >= 0 && io_read_full(fd, start, sizeof(start)) == sizeof(start) &&
	       memcmp(start, ELFMAG, SELFMAG) == 0;
}

/* Wait for a byte: without one, er_kernel has ended. */
static void run(const struct plan *plan, int begin, int answer)
{
	char byte;
	int error;

	if (io_read_full(begin, &byte, 1) != 1)
		_exit(1);
	messages_before_exec();
	sigprocmask(SIG_SETMASK, &plan->mask, NULL);
	error = execute(plan->load_path, plan->load, !is_binary(plan->load_path));
	_exit(io_write_all(answer, &error, sizeof(error)) < 0);
}

int load_prepare(struct load *load, const struct plan *plan)
{
	int begin[2], answer[2];

	*load = (struct load){ .begin = -1, .answer = -1 };
	if (pipe2(begin, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(answer, O_CLOEXEC) < 0) {
		close(begin[0]);
		close(begin[1]);
		return -errno;
	}
	load->pid = fork();
	if (load->pid == 0) {
		close(begin[1]);
		run(plan, begin[0], answer[1]);
	}
	close(begin[0]);
	close(answer[1]);
	load->begin = begin[1];
	load->answer = answer[0];
	return load->pid < 0 ? -EAGAIN : 0;
}

int load_begin(struct load *load)
{
	char byte = 0;
	int error = 0;

	load->has_begun = true;
	if (io_write_all(load->begin, &byte, 1) < 0)
		return -EPIPE;
	if (io_read_full(load->answer, &error, sizeof(error)) != sizeof(error))
		return 0;
	return -error;
}

bool load_has_ended(struct load *load)
{
	int status;

	if (load->has_ended || waitpid(load->pid, &status, WNOHANG) != load->pid)
		return load->has_ended;
	load->has_ended = true;
	load->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return true;
}

void load_release(struct load *load)
{
	if (load->begin >= 0)
		close(load->begin);
	if (load->answer >= 0)
		close(load->answer);
	if (load->pid > 0 && !load->has_begun)
		waitpid(load->pid, NULL, 0);
}
