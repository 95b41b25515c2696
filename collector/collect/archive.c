/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/collect/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define CANNOT_RUN 127

/* The directory belongs to that user, who may put anything into it, and trace what runs
 * with his rights: it must not have our terminal. */
static bool become_owner(const struct experiment *experiment)
{
	struct stat owner;

	if (geteuid() != 0)
		return true;
	if (fstat(experiment->dir, &owner) < 0)
		return false;
	if (owner.st_uid == 0)
		return true;
	return setsid() >= 0 && setgroups(0, NULL) == 0 &&
	       setresgid(owner.st_gid, owner.st_gid, owner.st_gid) == 0 &&
	       setresuid(owner.st_uid, owner.st_uid, owner.st_uid) == 0;
}

/* Messages go where er_archive at the end of a process puts them. */
static bool redirect(const struct experiment *experiment)
{
	int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int file = openat(experiment->dir, ARCHIVE_LOG_FILE,
			  O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK |
				  O_CLOEXEC,
			  FILE_MODE);

	return none >= 0 && file >= 0 && dup2(none, STDIN_FILENO) >= 0 &&
	       dup2(file, STDOUT_FILENO) >= 0 && dup2(file, STDERR_FILENO) >= 0;
}

static void run(const struct settings *settings, const struct installation *installation,
		const struct experiment *experiment)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (become_owner(experiment) && redirect(experiment))
		execl(installation->archiver, installation->archiver, "--automatic", "-q",
		      "-a", settings->archive_word, "--outfile", "-",
		      experiment->absolute, NULL);
	_exit(CANNOT_RUN);
}

void archive_for(const struct settings *settings, const struct installation *installation,
		 const struct experiment *experiment)
{
	pid_t archiver;
	int status = 0;

	if (settings->archive == EXPT_ARCHIVE_OFF)
		return;
	archiver = fork();
	if (archiver == 0)
		run(settings, installation, experiment);
	while (archiver > 0 && waitpid(archiver, &status, 0) < 0 && errno == EINTR)
		;
	if (archiver < 0)
		cli_warn("cannot run '%s': %s", installation->archiver,
			 strerrordesc_np(errno));
	else if (status != 0)
		cli_warn("er_archive has failed; see '%s/" ARCHIVE_LOG_FILE "'",
			 experiment->path);
}
