/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "libexpt/base/io.h"
#include "libexpt/remote/child.h"

static void start(struct child *child, const char *script, int messages)
{
	char *words[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };

	assert_int_equal(child_start(child, words, messages), 0);
}

static void what_it_reads_and_writes_comes_and_goes(void **state)
{
	struct child child;
	char text[16] = "";
	int status;

	start(&child, "tr a-z A-Z; exit 3", -1);
	assert_int_equal(io_write_all(child.in, "hello", 5), 0);
	child_close_input(&child);
	assert_int_equal(io_read_full(child.out, text, sizeof(text)), 5);
	assert_string_equal(text, "HELLO");
	assert_int_equal(child_wait(&child, &status, CHILD_FOR_EVER), 0);
	assert_int_equal(WEXITSTATUS(status), 3);
	child_release(&child);
}

static void its_standard_error_goes_where_it_was_told(void **state)
{
	struct child child;
	int ends[2], status;
	char text[16] = "";

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	start(&child, "echo oops >&2", ends[1]);
	close(ends[1]);
	assert_int_equal(io_read_full(ends[0], text, sizeof(text)), 5);
	assert_string_equal(text, "oops\n");
	close(ends[0]);
	assert_int_equal(child_wait(&child, &status, CHILD_FOR_EVER), 0);
	child_release(&child);
}

static void a_missing_program_is_told_at_once(void **state)
{
	char *words[] = { (char *)"no-such-program", NULL };
	struct child child;

	assert_int_equal(child_start(&child, words, -1), -ENOENT);
}

static void it_inherits_no_descriptors_and_no_blocked_signals(void **state)
{
	struct child child;
	char text[64] = "";
	sigset_t blocked, before;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	start(&child, "grep SigBlk /proc/self/status", -1);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	assert_true(io_read_full(child.out, text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "SigBlk:\t0000000000000000\n");
	child_release(&child);
	/* The child alone holds its input's other end, so it reads end of file. */
	start(&child, "cat; echo end", -1);
	child_close_input(&child);
	memset(text, 0, sizeof(text));
	assert_int_equal(io_read_full(child.out, text, sizeof(text) - 1), 4);
	child_release(&child);
}

static void writing_to_one_that_has_ended_is_an_error_and_no_signal(void **state)
{
	struct child_writing writing;
	struct child child;
	char bytes[4096] = "";
	int status, rc;

	start(&child, "exec <&-", -1);
	assert_int_equal(child_wait(&child, &status, CHILD_FOR_EVER), 0);
	child_begin_writing(&writing);
	rc = io_write_all(child.in, bytes, sizeof(bytes));
	child_end_writing(&writing);
	assert_int_equal(rc, -EPIPE);
	child_release(&child);
}

static void writing_can_be_limited(void **state)
{
	static char bytes[8 << 20];
	struct child child;
	int status;

	start(&child, "exec sleep 600", -1);
	child_limit_writing(&child, 1);
	assert_int_equal(io_read_within(child.out, bytes, 1, 1), -ETIMEDOUT);
	assert_int_equal(io_write_all(child.in, bytes, sizeof(bytes)), -EAGAIN);
	assert_int_equal(child_wait(&child, &status, 1), -ETIMEDOUT);
	assert_int_equal(WTERMSIG(status), SIGTERM);
	child_release(&child);
}

static void what_does_not_end_is_killed(void **state)
{
	struct child child;
	char word[4];
	int status;

	start(&child, "trap '' TERM; echo on; while :; do sleep 1; done", -1);
	assert_int_equal(io_read_full(child.out, word, 3), 3);
	assert_int_equal(child_wait(&child, &status, 1), -ETIMEDOUT);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	child_release(&child);
}

/* Checks for SIGPIPE, as in a shell pipeline, rather than an error that the child might
 * not handle. */
static void one_that_writes_on_gets_the_signal_of_pipes(void **state)
{
	struct child child;
	char word[4];
	int status;

	start(&child, "exec yes", -1);
	assert_int_equal(io_read_full(child.out, word, 4), 4);
	child_close_output(&child);
	assert_int_equal(child_wait(&child, &status, CHILD_FOR_EVER), 0);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGPIPE);
	child_release(&child);
}

static void *stop_it(void *data)
{
	usleep(20000);
	child_stop(data);
	return NULL;
}

static void another_thread_can_end_the_waiting(void **state)
{
	struct child child;
	pthread_t thread;
	int status;

	start(&child, "exec sleep 600", -1);
	assert_int_equal(pthread_create(&thread, NULL, stop_it, &child), 0);
	assert_int_equal(child_wait(&child, &status, CHILD_FOR_EVER), 0);
	assert_true(WIFSIGNALED(status));
	pthread_join(thread, NULL);
	child_stop(&child); /* does nothing: the pid may belong to another process now */
	child_release(&child);
}

static void releasing_ends_it(void **state)
{
	struct child child;
	pid_t pid;

	start(&child, "exec sleep 600", -1);
	pid = child.pid;
	child_release(&child);
	assert_int_equal(waitpid(pid, NULL, 0), -1);
	assert_int_equal(errno, ECHILD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_reads_and_writes_comes_and_goes),
		cmocka_unit_test(its_standard_error_goes_where_it_was_told),
		cmocka_unit_test(a_missing_program_is_told_at_once),
		cmocka_unit_test(it_inherits_no_descriptors_and_no_blocked_signals),
		cmocka_unit_test(writing_to_one_that_has_ended_is_an_error_and_no_signal),
		cmocka_unit_test(writing_can_be_limited),
		cmocka_unit_test(what_does_not_end_is_killed),
		cmocka_unit_test(one_that_writes_on_gets_the_signal_of_pipes),
		cmocka_unit_test(another_thread_can_end_the_waiting),
		cmocka_unit_test(releasing_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
