/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/session/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/stop.h"

/* As git: leave if the text fits the screen, pass on colours, and leave it there. */
#define LESS_OPTIONS "FRX"
#define DEFAULT_PAGER                                                            \
	"if command -v less >/dev/null; then exec less; fi; if command -v more " \
	">/dev/null; then exec more; fi; exec cat"

struct pager {
	FILE *stream;
	const volatile int *stop;
	const char *command; /* for the shell */
	struct strbuf held;
	size_t row, column; /* of the end of the held text on the screen */
	bool is_passing;    /* the rest of the output is not paged */
	pid_t child;	    /* 0: none */
	int pipe;	    /* -1: the user has left the pager */
};

/* ---- the screen ---- */

static void add_to_screen(struct pager *pager, const char *bytes, size_t size)
{
	struct winsize screen = { 0 };
	size_t columns;

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &screen);
	columns = screen.ws_col ? screen.ws_col : 80;
	for (size_t i = 0; i < size; i++) {
		bool is_end = bytes[i] == '\n';

		/* Only the first byte of a character takes a column. */
		if (!is_end && (bytes[i] & 0xc0) != 0x80 && pager->column++ == columns) {
			pager->row++;
			pager->column = 1;
		}
		if (is_end) {
			pager->row++;
			pager->column = 0;
		}
	}
}

static bool is_longer_than_screen(const struct pager *pager)
{
	struct winsize screen = { 0 };

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &screen);
	return pager->row + 1 > (screen.ws_row ? screen.ws_row : 24u);
}

/* ---- the program ---- */

static int spawn(struct pager *pager, int input)
{
	static char shell[] = "sh", option[] = "-c";
	char *words[] = { shell, option, (char *)pager->command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int rc;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	rc = posix_spawn(&pager->child, "/bin/sh", &actions, &attributes, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return rc;
}

static bool start(struct pager *pager)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	if (spawn(pager, ends[0]) != 0) {
		pager->child = 0;
		close(ends[1]);
	} else {
		pager->pipe = ends[1];
	}
	close(ends[0]);
	return pager->child != 0;
}

static void write_to_child(struct pager *pager, const void *bytes, size_t size)
{
	if (pager->pipe < 0 || io_write_all(pager->pipe, bytes, size) == 0)
		return;
	close(pager->pipe); /* the user has left it */
	pager->pipe = -1;
}

static void wait_for_child(struct pager *pager)
{
	if (pager->pipe >= 0)
		close(pager->pipe);
	pager->pipe = -1;
	while (waitpid(pager->child, NULL, 0) < 0 && errno == EINTR)
		;
	pager->child = 0;
}

/* ---- the stream ---- */

void pager_show(struct pager *pager)
{
	if (pager->child)
		return;
	io_write_all(STDOUT_FILENO, strbuf_text(&pager->held), pager->held.length);
	strbuf_clear(&pager->held);
	pager->is_passing = true;
}

static void hold(struct pager *pager, const char *bytes, size_t size)
{
	strbuf_add(&pager->held, bytes, size);
	add_to_screen(pager, bytes, size);
	if (pager->held.failed || (is_longer_than_screen(pager) && !start(pager))) {
		pager_show(pager);
	} else if (pager->child) {
		write_to_child(pager, pager->held.text, pager->held.length);
		strbuf_clear(&pager->held);
	}
}

static ssize_t write_paged(void *cookie, const char *bytes, size_t size)
{
	struct pager *pager = cookie;

	if (*pager->stop)
		return (ssize_t)size;
	if (pager->is_passing)
		return io_write_all(STDOUT_FILENO, bytes, size) < 0 ? 0 : (ssize_t)size;
	if (pager->child)
		write_to_child(pager, bytes, size);
	else
		hold(pager, bytes, size);
	return (ssize_t)size;
}

FILE *pager_stream(struct pager *pager)
{
	return pager->stream;
}

/* Returns the command of the pager, or NULL if none is wanted. */
static const char *choose_command(void)
{
	const char *command = getenv("PAGER");

	if (!isatty(STDOUT_FILENO))
		return NULL;
	if (!command)
		return DEFAULT_PAGER;
	return *command && strcmp(command, "cat") != 0 ? command : NULL;
}

struct pager *pager_open(const volatile int *stop)
{
	static const cookie_io_functions_t functions = { .write = write_paged };
	const char *command = choose_command();
	struct pager *pager = command ? calloc(1, sizeof(*pager)) : NULL;

	if (!pager)
		return NULL;
	*pager = (struct pager){ .stop = stop, .command = command, .pipe = -1 };
	pager->stream = fopencookie(pager, "w", functions);
	if (!pager->stream) {
		free(pager);
		return NULL;
	}
	setenv("LESS", LESS_OPTIONS, 0);
	signal(SIGPIPE, SIG_IGN);
	return pager;
}

void pager_finish(struct pager *pager, FILE *out)
{
	bool is_complete;

	fflush(out);
	fflush(pager->stream);
	is_complete = !*pager->stop;
	if (pager->child)
		wait_for_child(pager);
	else
		pager_show(pager);
	/* An interrupt of the pager is not one of the command. */
	if (is_complete && *pager->stop == SIGINT)
		cli_stop_clear();
	pager->is_passing = false;
	pager->row = pager->column = 0;
}

void pager_close(struct pager *pager)
{
	if (!pager)
		return;
	fclose(pager->stream);
	strbuf_release(&pager->held);
	free(pager);
}
