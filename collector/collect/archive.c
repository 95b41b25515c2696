/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/collect/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define CANNOT_RUN 127

/* The directory belongs to that user, who may put anything into it. */
static bool become_user(const struct process_status *process)
{
	uid_t user = process->user;
	gid_t group = process->user_group;

	if (geteuid() != 0 || user == 0)
		return true;
	return setgroups(0, NULL) == 0 && setresgid(group, group, group) == 0 &&
	       setresuid(user, user, user) == 0;
}

/* Messages go where er_archive at the end of a process puts them. */
static bool redirect_messages(const struct experiment *experiment)
{
	int file = openat(experiment->dir, ARCHIVE_LOG_FILE,
			  O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
			  FILE_MODE);

	return file >= 0 && dup2(file, STDOUT_FILENO) >= 0 &&
	       dup2(file, STDERR_FILENO) >= 0;
}

static void run(const struct process_status *process, const struct settings *settings,
		const struct installation *installation,
		const struct experiment *experiment)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (become_user(process) && redirect_messages(experiment))
		execl(installation->archiver, installation->archiver, "--automatic", "-q",
		      "-a", settings->archive_word, "--outfile", "-",
		      experiment->absolute, NULL);
	_exit(CANNOT_RUN);
}

void archive_for(const struct process_status *process, const struct settings *settings,
		 const struct installation *installation,
		 const struct experiment *experiment)
{
	pid_t archiver;
	int status = 0;

	if (settings->archive == EXPT_ARCHIVE_OFF)
		return;
	archiver = fork();
	if (archiver == 0)
		run(process, settings, installation, experiment);
	while (archiver > 0 && waitpid(archiver, &status, 0) < 0 && errno == EINTR)
		;
	if (archiver < 0)
		cli_warn("cannot run '%s': %s", installation->archiver,
			 strerrordesc_np(errno));
	else if (status != 0)
		cli_warn("er_archive has failed; see '%s/" ARCHIVE_LOG_FILE "'",
			 experiment->path);
}
