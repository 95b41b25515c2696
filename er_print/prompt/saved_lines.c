/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/prompt/saved_lines.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"

#define FILE_NAME     "er_print_history"
#define SIZE_MAX_READ ((off_t)1 << 20)

/* ---- the file ---- */

static bool is_own(const struct stat *status)
{
	return status->st_uid == geteuid();
}

/* Check that the entry is not a link of another user; if it is missing, it is none. */
static bool is_own_entry(int dir, const char *name)
{
	struct stat status;

	return fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
	       !S_ISLNK(status.st_mode) || is_own(&status) || status.st_uid == 0;
}

/* Open a directory of this user that no others can write to, -1: it is not that. */
static int open_own_directory(int dir, const char *name)
{
	cleanup_fd int fd = -1;
	struct stat status;

	if (!is_own_entry(dir, name))
		return -1;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status) < 0 || !is_own(&status) ||
	    (status.st_mode & S_IWOTH))
		return -1;
	return steal_fd(&fd);
}

bool home_is_own(void)
{
	const char *home = getenv("HOME");
	cleanup_fd int dir = home && *home == '/' ? open_own_directory(AT_FDCWD, home)
						  : -1;

	return dir >= 0;
}

/* Go from an own directory to one in it, made if necessary. */
static int descend(int dir, const char *name)
{
	int next;

	if (dir < 0)
		return -1;
	mkdirat(dir, name, 0700);
	next = open_own_directory(dir, name);
	close(dir);
	return next;
}

static int open_directory(void)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	int dir = -1;

	if (!home_is_own())
		return -1;
	if (state && *state == '/') {
		dir = open_own_directory(AT_FDCWD, state);
	} else {
		dir = open_own_directory(AT_FDCWD, home);
		dir = descend(descend(dir, ".local"), "state");
	}
	return descend(dir, "erkit");
}

int saved_lines_open(void)
{
	cleanup_fd int dir = open_directory();
	cleanup_fd int fd = -1;
	struct stat status;

	if (dir < 0 || !is_own_entry(dir, FILE_NAME))
		return -1;
	/* The entry may also be a FIFO, on which nothing must wait. */
	fd = openat(dir, FILE_NAME,
		    O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
		    0600);
	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) ||
	    !is_own(&status))
		return -1;
	if (status.st_mode & 077)
		fchmod(fd, 0600);
	return steal_fd(&fd);
}

/* ---- its lines ---- */

/* Returns the beginning of the last lines of a text, at most so many. */
static char *last_lines(char *text, size_t length, size_t limit)
{
	char *start = text + length;

	while (start > text) {
		if (start < text + length && start[-1] == '\n' && --limit == 0)
			break;
		start--;
	}
	return start;
}

/* Concurrent runs append only whole lines, and one of them shortens the file. */
static void shorten(int fd, const char *lines)
{
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return;
	if (ftruncate(fd, 0) == 0)
		io_write_all(fd, lines, strlen(lines));
	flock(fd, LOCK_UN);
}

void saved_lines_read(int fd, void (*add)(void *context, const char *line), void *context)
{
	struct stat status;
	cleanup_free char *text = NULL;
	off_t start = 0;
	ssize_t length;
	char *lines;

	if (fstat(fd, &status) < 0)
		return;
	if (status.st_size > SIZE_MAX_READ)
		start = status.st_size - SIZE_MAX_READ;
	text = calloc(1, (size_t)(status.st_size - start) + 1);
	length = text ? io_pread_full(fd, text, (size_t)(status.st_size - start), start)
		      : -1;
	if (length < 0)
		return;
	lines = last_lines(text, (size_t)length, SAVED_LINES_MAX);
	if (last_lines(text, (size_t)length, 2 * SAVED_LINES_MAX) > text || start > 0)
		shorten(fd, lines);
	for (char *line; (line = strsep(&lines, "\n")) != NULL;)
		if (*line)
			add(context, line);
}

void saved_lines_append(int fd, const char *line)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "%s\n", line);
	if (!text.failed)
		io_write_all(fd, text.text, text.length);
}
