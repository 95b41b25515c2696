/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"

#define SHOWN_MAX     65536 /* about so many bytes are printed as they arrive */
#define LAST_MAX      16384 /* bytes of the rest that are printed at the end */
#define READS_AT_ONCE 256

/* The line received so far; longer ones are split. */
struct words {
	const char *host;
	char text[1024];
	size_t length;
	size_t shown;
	char *last; /* whole lines that came after SHOWN_MAX bytes, or NULL */
	size_t last_length;
	uint64_t left_out; /* bytes dropped from the beginning of last */
};

/* Make room for so many bytes in last by dropping its first lines. */
static void drop_first_lines(struct words *words, size_t wanted)
{
	size_t dropped = 0;

	while (LAST_MAX - words->last_length + dropped < wanted) {
		const char *end =
			memchr(words->last + dropped, '\n', words->last_length - dropped);

		dropped = (size_t)(end - words->last) + 1;
	}
	memmove(words->last, words->last + dropped, words->last_length - dropped);
	words->last_length -= dropped;
	words->left_out += dropped;
}

static void keep_line(struct words *words)
{
	if (!words->last)
		words->last = malloc(LAST_MAX);
	if (!words->last) {
		words->left_out += words->length + 1;
		return;
	}
	drop_first_lines(words, words->length + 1);
	memcpy(words->last + words->last_length, words->text, words->length);
	words->last_length += words->length;
	words->last[words->last_length++] = '\n';
}

static void say_line(struct words *words)
{
	while (words->length > 0 && words->text[words->length - 1] == '\r')
		words->length--;
	if (words->length > 0 && words->shown < SHOWN_MAX) {
		cli_note("%s: %.*s", words->host, (int)words->length, words->text);
		words->shown += words->length + strlen(words->host) + 10;
	} else if (words->length > 0) {
		keep_line(words);
	}
	words->length = 0;
}

static void say_last_lines(struct words *words)
{
	const char *line = words->last, *end = line ? line + words->last_length : line;

	if (words->left_out)
		cli_note("%s: (%llu bytes omitted)", words->host,
			 (unsigned long long)words->left_out);
	while (line < end) {
		int length =
			(int)((const char *)memchr(line, '\n', (size_t)(end - line)) -
			      line);

		cli_note("%s: %.*s", words->host, length, line);
		line += length + 1;
	}
	free(words->last);
}

static void add_words(struct words *words, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '\n' || words->length == sizeof(words->text))
			say_line(words);
		if (bytes[i] != '\n')
			words->text[words->length++] = bytes[i];
	}
}

/* Read the available words, but not an endless flood of them. Returns false at the end.
 */
static bool take_words(int fd, struct words *words)
{
	char buffer[4096];
	ssize_t got = 0;

	for (int i = 0; i < READS_AT_ONCE && (got = read(fd, buffer, sizeof(buffer))) > 0;
	     i++)
		add_words(words, buffer, (size_t)got);
	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* A shared ssh connection may keep the pipe of messages open, so only closing
 * listener->end ends the thread. */
static void *listen(void *data)
{
	struct listener *listener = data;
	struct words words = { .host = listener->host };
	struct pollfd files[2] = {
		{ .fd = listener->messages, .events = POLLIN },
		{ .fd = listener->end[0], .events = POLLIN },
	};
	sigset_t none;

	sigemptyset(&none);
	while (!files[1].revents) {
		if (*listener->stop)
			remote_stop(listener->remote);
		if (ppoll(files, 2, NULL, &none) < 0)
			files[0].revents = files[1].revents = 0;
		if (files[0].revents && !take_words(listener->messages, &words))
			files[0].fd = -1;
	}
	take_words(listener->messages, &words);
	say_line(&words);
	say_last_lines(&words);
	return NULL;
}

int listener_init(struct listener *listener)
{
	int pipes[2][2] = { { -1, -1 }, { -1, -1 } };
	int rc = pipe2(pipes[0], O_CLOEXEC) < 0 || pipe2(pipes[1], O_CLOEXEC) < 0 ? -errno
										  : 0;

	*listener = (struct listener){
		.messages = pipes[0][0],
		.speaker = pipes[0][1],
		.end = { pipes[1][0], pipes[1][1] },
	};
	if (rc < 0)
		return cli_error("cannot create a pipe: %s", strerrordesc_np(-rc));
	fcntl(listener->messages, F_SETFL, O_NONBLOCK);
	return CLI_OK;
}

static void close_fd(int *fd)
{
	cleanup_fdp(fd);
	*fd = -1;
}

int listener_start(struct listener *listener, const char *host, struct remote *remote,
		   const volatile int *stop)
{
	sigset_t before;
	int rc;

	close_fd(&listener->speaker);
	listener->host = host;
	listener->remote = remote;
	listener->stop = stop;
	listener_block_signals(&before); /* the thread accepts them in ppoll only */
	rc = pthread_create(&listener->thread, NULL, listen, listener);
	listener_restore_signals(&before);
	listener->is_running = rc == 0;
	return rc == 0 ? CLI_OK
		       : cli_error("cannot start a thread: %s", strerrordesc_np(rc));
}

void listener_release(struct listener *listener)
{
	close_fd(&listener->speaker);
	close_fd(&listener->end[1]);
	if (listener->is_running)
		pthread_join(listener->thread, NULL);
	close_fd(&listener->end[0]);
	close_fd(&listener->messages);
}

void listener_block_signals(sigset_t *before)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &signals, before);
}

void listener_restore_signals(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}
