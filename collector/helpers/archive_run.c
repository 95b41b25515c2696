/* SPDX-License-Identifier: Apache-2.0 */
/*
 * er_archive at the end of the run: once for the whole experiment when the founder ends,
 * and once for each descendant that ends after it, or that ran a file which may be gone
 * by then. The program's waits and its SIGCHLD must not see it: a helper is cloned
 * without an exit signal, and er_archive, whose exec would restore that signal, is the
 * helper's child.
 */

#include "collector/helpers/archive_run.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/base/helper.h"
#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/common/directory_name.h"
#include "collector/common/settings.h"
#include "collector/experiment/map.h"
#include "collector/files/access.h"
#include "collector/files/create.h"
#include "collector/files/log.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "libexpt/format.h"

#define TIME_LIMIT_S	   300
#define STACK_SIZE	   (64 * 1024)
#define MANIFEST_READ_SIZE (32 * 1024)

struct archiver {
	char directory[PATH_MAX + LINEAGE_MAX + 8];
	char log[LINEAGE_MAX + 32], messages[LINEAGE_MAX + 32]; /* in the founder's */
	const char *argv[12];
	char **envp;
	pid_t pid; /* of er_archive, once it runs */
	char stack[STACK_SIZE] __attribute__((aligned(16))); /* of the helper */
	char exec_stack[STACK_SIZE] __attribute__((aligned(16)));
};

static bool is_due; /* set by archive_announce() */

static bool is_last_image_of_founder(void)
{
	return process.pid == settings.founder_pid;
}

static long has_messages(int founder, void *argument)
{
	(void)argument;
	return system_call(SYS_faccessat, founder, (long)ARCHIVE_LOG_FILE, F_OK, 0, 0, 0);
}

/* ---- descriptions made by other descendants ---- */

struct search {
	const char *text;
	size_t length;
	char buffer[MANIFEST_READ_SIZE];
};

/* Each part keeps its end for the next one, because the text may begin there. */
static long find_in(int fd, struct search *search)
{
	char *const buffer = search->buffer;
	size_t kept = 0;
	ssize_t n;

	while ((n = sys_read(fd, buffer + kept, MANIFEST_READ_SIZE - kept)) > 0) {
		size_t length = kept + (size_t)n;

		if (memmem(buffer, length, search->text, search->length))
			return 1;
		kept = length < search->length ? length : search->length - 1;
		memmove(buffer, buffer + length - kept, kept);
	}
	return 0;
}

static long find_in_manifest(int founder, void *argument)
{
	int fd = sys_openat(founder, ARCHIVES_DIR "/" MANIFEST_FILE,
			    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	long rc;

	if (fd < 0)
		return fd;
	rc = find_in(fd, argument);
	sys_close(fd);
	return rc;
}

/* The manifest of archives/ has a line with the build-id of each described file. */
static bool is_unknown(const char *build_id)
{
	struct search *search = memory_get_pages(sizeof(*search));
	bool is_known = false;

	if (!search)
		return false;
	search->text = build_id;
	search->length = strlen(build_id);
	if (search->length > 0)
		is_known = access_run(find_in_manifest, search) > 0;
	memory_return_pages(search, sizeof(*search));
	return !is_known;
}

/* A file that still exists when the founder ends is left to the founder's er_archive. */
static bool find_out_if_due(void)
{
	if (!settings_ask_for_archives())
		return false;
	return is_last_image_of_founder() || loadmap_any_new_file(is_unknown) ||
	       access_run(has_messages, NULL) == 0;
}

static bool is_for_descendant(void)
{
	return !is_last_image_of_founder() && !collector_is_founder();
}

static void fill_paths(struct archiver *archiver)
{
	struct text directory = TEXT_ON(archiver->directory),
		    log = TEXT_ON(archiver->log), messages = TEXT_ON(archiver->messages);
	const char *lineage = is_for_descendant() ? process.lineage : "";

	text_add(&directory, settings.experiment);
	if (is_for_descendant()) {
		text_add(&directory, "/");
		directory_name_add(&directory, process.lineage, false);
	}
	directory_name_add_file(&log, lineage, LOG_FILE, false);
	directory_name_add_file(&messages, lineage, ARCHIVE_LOG_FILE, false);
}

static void fill_arguments(struct archiver *archiver)
{
	const char **to = archiver->argv;

	*to++ = settings.archiver;
	*to++ = "--automatic";
	if (!is_last_image_of_founder())
		*to++ = "-n";
	*to++ = "-q";
	*to++ = "-a";
	*to++ = settings.archive_mode;
	*to++ = "--outfile";
	*to++ = "-";
	*to++ = archiver->directory;
	*to = NULL;
}

/* Copy the program's environment, without LD_PRELOAD. */
static bool fill_environment(struct archiver *archiver)
{
	size_t count = 1;
	char **to;

	for (char **from = environ; from && *from; from++)
		count++;
	to = archiver->envp = memory_get(count * sizeof(*to));
	if (!to)
		return false;
	for (char **from = environ; from && *from; from++)
		if (strncmp(*from, "LD_PRELOAD=", 11) != 0)
			*to++ = *from;
	*to = NULL;
	return true;
}

static struct archiver *prepare(void)
{
	struct archiver *archiver = memory_get_pages(sizeof(*archiver));

	if (!archiver || !fill_environment(archiver))
		return NULL;
	fill_paths(archiver);
	fill_arguments(archiver);
	return archiver;
}

void archive_announce(void)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text comment = TEXT_ON(buffer);

	is_due = find_out_if_due();
	if (!settings_ask_for_archives())
		return; /* the log says so at its beginning */
	if (!is_due) {
		text_add(&comment, FOUNDER_ARCHIVES_COMMENT);
	} else {
		text_add(&comment, "Archive command `");
		text_add(&comment, settings.archiver);
		text_add(&comment, is_last_image_of_founder() ? " --automatic -q -a "
							      : " --automatic -n -q -a ");
		text_add(&comment, settings.archive_mode);
		text_add(&comment, "'");
	}
	log_message("comment", EXPT_COMMENT, comment.start, 0);
}

/* ---- the helper and its child: they share our memory, and nothing else ---- */

static int execute(void *data)
{
	const struct archiver *archiver = data;

	system_call(SYS_execve, (long)archiver->argv[0], (long)archiver->argv,
		    (long)archiver->envp, 0, 0, 0);
	system_call(SYS_exit_group, 127, 0, 0, 0, 0, 0);
	return 127;
}

/* Direct the messages of er_archive to a file in the directory that is recorded into,
 * even if that has been renamed. */
static long open_messages(int founder, void *data)
{
	const struct archiver *archiver = data;
	int fd = sys_openat(founder, archiver->messages,
			    O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, FILE_MODE);

	for (int i = 1; i < 3 && fd >= 0; i++)
		system_call(SYS_dup2, fd, i, 0, 0, 0, 0);
	return 0;
}

static int help(void *data)
{
	struct archiver *archiver = data;
	int status = 0;

	helper_use_null_device();
	access_run(open_messages, archiver);
	helper_close_from(3);
	helper_reset_signals();
	archiver->pid = helper_clone(archiver->exec_stack, sizeof(archiver->exec_stack),
				     execute, archiver, CLONE_VM | CLONE_VFORK | SIGCHLD,
				     NULL);
	while (system_call(SYS_wait4, archiver->pid, (long)&status, 0, 0, 0, 0) == -EINTR)
		;
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	system_call(SYS_exit_group, status, 0, 0, 0, 0, 0);
	return status;
}

/* ---- waiting ---- */

static bool is_done_in_time(int pidfd)
{
	struct pollfd ready = { .fd = pidfd, .events = POLLIN };
	uint64_t limit = collector_now() + TIME_LIMIT_S * NS_PER_SECOND, now;

	while ((now = collector_now()) < limit) {
		long rc = system_call(SYS_poll, (long)&ready, 1,
				      (long)((limit - now) / 1000000), 0, 0, 0);

		if (rc > 0)
			return true;
		if (rc != -EINTR)
			return false;
	}
	return false;
}

static int wait_for(const struct archiver *archiver, pid_t pid, int pidfd)
{
	int status = 0;

	if (!is_done_in_time(pidfd)) {
		if (archiver->pid > 0)
			system_call(SYS_kill, archiver->pid, SIGKILL, 0, 0, 0, 0);
		system_call(SYS_kill, pid, SIGKILL, 0, 0, 0, 0);
	}
	while (system_call(SYS_wait4, pid, (long)&status, (long)__WCLONE, 0, 0, 0) ==
	       -EINTR)
		;
	sys_close(pidfd);
	return status;
}

struct ending {
	const struct archiver *archiver;
	const struct text *line;
};

static long put_ending(int founder, void *argument)
{
	const struct ending *ending = argument;
	int fd = sys_openat(founder, ending->archiver->log,
			    O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	struct stat status;

	if (fd < 0)
		return fd;
	if (sys_fstat(fd, &status) == 0)
		writer_put(fd, ending->line->start, ending->line->length, status.st_size);
	return sys_close(fd);
}

/* Append a line to the log, which is closed. */
static void log_result(const struct archiver *archiver, int status)
{
	char buffer[128];
	struct text line = TEXT_ON(buffer);
	struct ending ending = { archiver, &line };

	if (status == 0)
		return;
	text_add(&line, "<event kind=\"comment\" id=\"400\">The archive command ended "
			"with status ");
	text_add_decimal(&line, WIFEXITED(status) ? WEXITSTATUS(status)
						  : 128 + WTERMSIG(status));
	text_add(&line, "</event>\n");
	access_run(put_ending, &ending);
}

void archive_run(void)
{
	struct archiver *archiver = is_due ? prepare() : NULL;
	int pidfd = -1;
	pid_t pid;

	if (!archiver)
		return;
	pid = helper_clone(archiver->stack, sizeof(archiver->stack), help, archiver,
			   CLONE_VM | CLONE_PIDFD, &pidfd);
	if (pid > 0)
		log_result(archiver, wait_for(archiver, pid, pidfd));
	memory_return_pages(archiver, sizeof(*archiver));
}
