/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sampler/founder.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/common/directory_name.h"
#include "collector/common/settings.h"
#include "collector/outside/outputs.h"
#include "libexpt/format.h"

static int directory = -1, locked = -1;

int founder_open(void)
{
	struct stat status;

	directory = open(settings.experiment, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0 || fstat(directory, &status) < 0)
		return -errno;
	if (!settings_mean(&status))
		return -ESTALE;
	locked = openat(directory, LOG_FILE, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	return 0;
}

static int open_directory(const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* The founder's directory: collect has made it. */
static int open_own(void)
{
	mkdirat(directory, ARCHIVES_DIR, DIRECTORY_MODE);
	return open_directory(".");
}

int founder_make_directory(const char *lineage)
{
	char name[DIRECTORY_NAME_SIZE];
	struct text text = directory_name(name, lineage, false);

	if (lineage[0] == '\0')
		return open_own();
	if (faccessat(directory, text.start, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return -EEXIST;
	text = directory_name(name, lineage, directory_name_can_hide(lineage));
	if (mkdirat(directory, text.start, DIRECTORY_MODE) < 0)
		return -errno;
	return open_directory(text.start);
}

int founder_show_directory(const char *lineage)
{
	return outputs_show(directory, lineage);
}

void founder_remove_directory(const char *lineage)
{
	char name[DIRECTORY_NAME_SIZE];
	bool is_hidden = directory_name_can_hide(lineage);

	if (lineage[0] == '\0')
		return;
	unlinkat(directory, directory_name(name, lineage, is_hidden).start, AT_REMOVEDIR);
}

static void lock_byte(pid_t pid, short type)
{
	struct flock lock = { .l_type = type, .l_start = pid, .l_len = 1 };

	if (locked >= 0)
		fcntl(locked, F_SETLK, &lock);
}

void founder_hold(pid_t pid)
{
	lock_byte(pid, F_WRLCK);
}

void founder_release(pid_t pid)
{
	lock_byte(pid, F_UNLCK);
}

void founder_warn(const char *lineage, int error)
{
	outputs_warn_unmade(directory, lineage, error);
}

/* ---- the archive ---- */

/* The founder has ended, or the sampled process is an image that it executed. */
static bool is_due(pid_t pid)
{
	return settings_ask_for_archives() &&
	       (pid == settings.founder_pid ||
		faccessat(directory, ARCHIVE_LOG_FILE, F_OK, 0) == 0);
}

/* Send messages to the file in our directory, whatever has its name by now. */
static pid_t start_archiver(const char *argv[], const char *messages)
{
	int fd = openat(directory, messages,
			O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
			FILE_MODE);
	posix_spawn_file_actions_t actions;
	char *envp[] = { NULL };
	pid_t archiver = -1;

	if (fd < 0 || posix_spawn_file_actions_init(&actions) != 0)
		return -1;
	if (posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO) != 0 ||
	    posix_spawn_file_actions_adddup2(&actions, fd, STDERR_FILENO) != 0 ||
	    posix_spawn(&archiver, settings.archiver, &actions, NULL, (char **)argv,
			envp))
		archiver = -1;
	posix_spawn_file_actions_destroy(&actions);
	close(fd);
	return archiver;
}

void founder_archive(const char *lineage, pid_t pid)
{
	bool is_whole = pid == settings.founder_pid;
	char path[PATH_MAX + LINEAGE_MAX + 8], messages[LINEAGE_MAX + 32];
	const char *argv[] = { settings.archiver,      "--automatic", "-q", "-a",
			       settings.archive_mode,  "--outfile",   "-",  path,
			       is_whole ? NULL : "-n", NULL };
	pid_t archiver;

	if (!is_due(pid))
		return;
	snprintf(path, sizeof(path), is_whole ? "%s" : "%s/%s" EXPERIMENT_SUFFIX,
		 settings.experiment, lineage);
	snprintf(messages, sizeof(messages),
		 is_whole ? ARCHIVE_LOG_FILE
			  : "%s" EXPERIMENT_SUFFIX "/" ARCHIVE_LOG_FILE,
		 lineage);
	archiver = start_archiver(argv, messages);
	if (archiver > 0)
		waitpid(archiver, NULL, 0);
}
