/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/remote/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"

#define BUFFER_SIZE   (1 << 20) /* fewer context switches than with 64 KiB */
#define LAST_WORDS_MS 5000	/* time to end after SIGTERM */

extern char **environ;

/* Both ends of the sockets and of the pipe: [0] is for reading. */
struct ends {
	int in[2], out[2];
};

static void close_ends(struct ends *ends)
{
	for (int i = 0; i < 2; i++) {
		cleanup_fdp(&ends->in[i]);
		cleanup_fdp(&ends->out[i]);
	}
}

static int set_files(posix_spawn_file_actions_t *files, const struct ends *ends,
		     int messages)
{
	int rc = posix_spawn_file_actions_adddup2(files, ends->in[0], STDIN_FILENO);

	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(files, ends->out[1], STDOUT_FILENO);
	if (rc == 0 && messages >= 0)
		rc = posix_spawn_file_actions_adddup2(files, messages, STDERR_FILENO);
	return rc;
}

/* The program must not inherit the signals that threads here block. */
static int set_signals(posix_spawnattr_t *attributes)
{
	sigset_t none;

	sigemptyset(&none);
	posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
	return posix_spawnattr_setsigmask(attributes, &none);
}

static int spawn(pid_t *pid, char *const words[], const struct ends *ends, int messages)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int rc = posix_spawn_file_actions_init(&files);

	if (rc != 0)
		return -rc;
	rc = posix_spawnattr_init(&attributes);
	if (rc == 0) {
		rc = set_files(&files, ends, messages);
		if (rc == 0)
			rc = set_signals(&attributes);
		if (rc == 0)
			rc = posix_spawnp(pid, words[0], &files, &attributes, words,
					  environ);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&files);
	return -rc;
}

/* Output is a pipe: writing to a closed pipe raises SIGPIPE, writing to a closed socket
 * may not. */
static int open_ends(struct ends *ends)
{
	const int size = BUFFER_SIZE;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends->in) < 0 ||
	    shutdown(ends->in[0], SHUT_WR) < 0 || pipe2(ends->out, O_CLOEXEC) < 0)
		return -errno;
	setsockopt(ends->in[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	fcntl(ends->out[0], F_SETPIPE_SZ, size);
	return 0;
}

int child_start(struct child *child, char *const words[], int messages)
{
	cleanup(close_ends) struct ends ends = { { -1, -1 }, { -1, -1 } };
	pid_t pid;
	int rc;

	rc = open_ends(&ends);
	if (rc == 0)
		rc = spawn(&pid, words, &ends, messages);
	if (rc < 0)
		return rc;
	*child = (struct child){
		.pid = pid,
		.in = steal_fd(&ends.in[1]),
		.out = steal_fd(&ends.out[0]),
	};
	pthread_mutex_init(&child->lock, NULL);
	return 0;
}

void child_close_input(struct child *child)
{
	if (child->in >= 0)
		close(child->in);
	child->in = -1;
}

void child_close_output(struct child *child)
{
	if (child->out >= 0)
		close(child->out);
	child->out = -1;
}

void child_limit_writing(struct child *child, unsigned seconds)
{
	const struct timeval limit = { .tv_sec = seconds };

	if (child->in >= 0)
		setsockopt(child->in, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

/* Returns 1 if it has ended, 0 if not. */
static int wait_for_end(const struct child *child, int timeout_ms)
{
	cleanup_fd int fd = (int)syscall(SYS_pidfd_open, child->pid, 0);
	struct pollfd end = { .fd = fd, .events = POLLIN };
	siginfo_t ended = { .si_pid = 0 };
	int rc;

	if (fd < 0) /* an old kernel */
		timeout_ms = -1;
	else
		while ((rc = poll(&end, 1, timeout_ms)) < 0)
			if (errno != EINTR)
				return -errno;
	while (waitid(P_PID, (id_t)child->pid, &ended,
		      WEXITED | WNOWAIT | (timeout_ms < 0 ? 0 : WNOHANG)) < 0)
		if (errno != EINTR)
			return -errno;
	return ended.si_pid != 0;
}

static void send_signal(struct child *child, int signal)
{
	pthread_mutex_lock(&child->lock);
	if (child->pid)
		kill(child->pid, signal);
	pthread_mutex_unlock(&child->lock);
}

/* Wait without the lock, so that child_stop() works; take it only to reap the process,
 * which frees its number. */
int child_wait(struct child *child, int *status, unsigned seconds)
{
	int timeout_ms = seconds == CHILD_FOR_EVER  ? -1
			 : seconds < INT_MAX / 1000 ? (int)seconds * 1000
						    : INT_MAX;
	int rc = wait_for_end(child, timeout_ms), late = 0;

	if (rc == 0) {
		late = -ETIMEDOUT;
		send_signal(child, SIGTERM);
		rc = wait_for_end(child, LAST_WORDS_MS);
	}
	if (rc == 0) {
		send_signal(child, SIGKILL);
		rc = wait_for_end(child, -1);
	}
	if (rc < 0)
		return rc;
	pthread_mutex_lock(&child->lock);
	rc = waitpid(child->pid, status, 0) < 0 ? -errno : late;
	child->pid = 0;
	pthread_mutex_unlock(&child->lock);
	return rc;
}

void child_stop(struct child *child)
{
	send_signal(child, SIGTERM);
}

void child_release(struct child *child)
{
	int status;

	child_close_input(child);
	child_close_output(child);
	if (child->pid) {
		child_stop(child);
		child_wait(child, &status, LAST_WORDS_MS / 1000);
	}
	pthread_mutex_destroy(&child->lock);
}

static bool is_pending(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) > 0;
}

void child_begin_writing(struct child_writing *writing)
{
	sigset_t pipe;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	writing->was_pending = is_pending();
	pthread_sigmask(SIG_BLOCK, &pipe, &writing->before);
}

void child_end_writing(const struct child_writing *writing)
{
	const struct timespec at_once = { 0 };
	sigset_t pipe;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	if (!writing->was_pending)
		while (sigtimedwait(&pipe, NULL, &at_once) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &writing->before, NULL);
}
