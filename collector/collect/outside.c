/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sampler of a statically linked founder. It is a grandchild: this process turns into
 * the program, which must not have a child that it does not know. Only the sampler gets
 * the collector's environment: processes that the program starts are sampled from outside
 * as well.
 */
#include "collector/collect/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/shell.h"
#include "libexpt/base/time.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define ANSWER_FD 3 /* of the sampler: an errno, or 0 when it is ready */

int outside_check(const struct settings *settings, const struct target *target)
{
	if (settings->clock_period_us == 0) {
		cli_error("cannot record '%s': it is statically linked: only clock "
			  "profiling (-p) is possible",
			  target->path);
		return STATUS_CANNOT_RUN;
	}
	cli_warn("'%s' is statically linked: only clock profiling is possible",
		 target->path);
	return CLI_OK;
}

/* Pass the founder's start and process; see settings_read_run(). A rank of a job has them
 * already. */
static bool set_run(const struct settings *settings, pid_t founder)
{
	struct timespec now;
	char run[64];

	if (settings->rank.experiment)
		return unsetenv("LD_PRELOAD") == 0;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	snprintf(run, sizeof(run), "%lu:%d:0", (unsigned long)timespec_ns(&now),
		 (int)founder);
	return setenv(ENV_RUN, run, 1) == 0 && setenv(ENV_LINEAGE, "", 1) == 0 &&
	       unsetenv("LD_PRELOAD") == 0;
}

/* The sampler must not hold the program's descriptors. */
static void set_descriptors(int answer)
{
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd < ANSWER_FD; fd++)
		dup2(null, fd);
	if (answer != ANSWER_FD)
		dup2(answer, ANSWER_FD);
	close_range(ANSWER_FD + 1, ~0U, 0);
}

static char *command_of(const struct target *target, char *const *words)
{
	struct strbuf command = STRBUF_INIT;

	shell_add_word(&command, target->path);
	while (*++words)
		shell_add_word(&command, *words);
	return strbuf_steal(&command);
}

/* Runs in the grandchild. Returns an errno. */
static int execute(char *sampler, pid_t founder, const struct settings *settings,
		   const struct target *target, int answer)
{
	char pid[16];
	char *command = command_of(target, settings->target);
	char *words[] = { sampler, pid, pid, target->path, command, NULL };

	if (!command)
		return ENOMEM;
	snprintf(pid, sizeof(pid), "%d", (int)founder);
	set_descriptors(answer);
	execv(sampler, words);
	return errno;
}

static void become_sampler(const struct settings *settings,
			   const struct installation *installation,
			   const struct experiment *experiment,
			   const struct target *target, pid_t founder, int answer)
{
	cleanup_free char *sampler = NULL;
	int32_t error = ENOMEM;
	int copy = fcntl(answer, F_DUPFD, ANSWER_FD);

	if (fork() != 0)
		_exit(0);
	if (asprintf(&sampler, "%s/" COLLECTOR_SAMPLER, installation->plugins) >= 0 &&
	    environment_set(settings, installation, experiment, target, founder) ==
		    CLI_OK &&
	    set_run(settings, founder))
		error = execute(sampler, founder, settings, target, copy);
	if (write(copy, &error, sizeof(error)) < 0)
		_exit(1);
	_exit(1);
}

int outside_start(const struct settings *settings,
		  const struct installation *installation,
		  const struct experiment *experiment, const struct target *target)
{
	int answer[2];
	pid_t founder = getpid(), helper;
	int32_t error = ECHILD;

	if (pipe2(answer, O_CLOEXEC) < 0)
		return cli_error("cannot create a pipe: %s", strerrordesc_np(errno));
	helper = fork();
	if (helper == 0)
		become_sampler(settings, installation, experiment, target, founder,
			       answer[1]);
	close(answer[1]);
	if (helper > 0)
		while (waitpid(helper, NULL, 0) < 0 && errno == EINTR)
			;
	if (helper < 0)
		error = errno;
	else if (io_read_full(answer[0], &error, sizeof(error)) != sizeof(error))
		error = ECHILD;
	close(answer[0]);
	if (error == 0)
		return CLI_OK;
	cli_error("cannot record '%s': it is statically linked, and the kernel does not "
		  "permit sampling it: %s",
		  target->path, strerrordesc_np(error));
	return STATUS_CANNOT_RUN;
}
