/* SPDX-License-Identifier: Apache-2.0 */
/* The command over there: its start, the lines exchanged with it, and its end. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/shell.h"
#include "libexpt/base/time.h"
#include "libexpt/common/error.h"
#include "libexpt/remote/private.h"

#define PATIENCE_S	 60 /* unless the options say otherwise */
#define WORK_FACTOR	 10
#define WORK_PER_S	 1000000 /* bytes that the other side processes, at least */
#define LINE_MAX_LENGTH	 8192
#define COMMAND_MAX	 100000 /* bytes; Linux limits an argument to 128 KiB */
#define STATUS_NO_REMOTE 255	/* ssh: the connection failed */

/* Write sh, its script, and the arguments of that as one string, for the shell of the
 * account over there. */
static int write_command(struct strbuf *command, const struct remote *remote,
			 struct expt_error *err)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;

	strbuf_add_text(command, "exec sh -c");
	shell_add_word(command, remote->path ? remote_receiver : remote_sender);
	shell_add_word(command, "erkit");
	if (remote->path) {
		remote_path(&path, remote->path);
		shell_add_word(command, strbuf_text(&path));
	}
	for (size_t i = 0; !remote->path && i < remote->things.count; i++) {
		if (remote_is_dropped(remote, &remote->things.items[i]))
			continue;
		strbuf_clear(&path);
		remote_path(&path, remote->things.items[i].path);
		shell_add_word(command, strbuf_text(&path));
	}
	if (command->failed || path.failed)
		return expt_fail(err, -ENOMEM, "cannot reach '%s'", remote->host);
	if (command->length > COMMAND_MAX)
		return expt_refuse(err, -EINVAL, "too many experiments for one command");
	return 0;
}

/* The words are the remote shell, the host, and the command to run there. */
static int start_words(struct remote *remote, char **words, char *command,
		       struct expt_error *err)
{
	cleanup_free char **all = NULL;
	size_t count = 0;
	int rc;

	while (words[count])
		count++;
	all = calloc(count + 3, sizeof(*all));
	if (!all)
		return expt_fail(err, -ENOMEM, "cannot reach '%s'", remote->host);
	memcpy(all, words, count * sizeof(*all));
	all[count] = remote->address;
	all[count + 1] = command;
	rc = child_start(&remote->child, all, remote->options.messages);
	if (rc < 0)
		return expt_fail(err, rc, "cannot run '%s'", words[0]);
	remote->is_started = true;
	remote_expect_greeting(remote);
	return 0;
}

int remote_start(struct remote *remote, struct expt_error *err)
{
	cleanup_strbuf struct strbuf command = STRBUF_INIT;
	cleanup_free char **words = NULL;
	int rc = shell_split(&words, remote->shell);

	if (rc == -EINVAL)
		return expt_refuse(err, rc, "'%s' is not a valid command", remote->shell);
	if (rc < 0)
		return expt_fail(err, rc, "'%s' is not a valid command", remote->shell);
	rc = write_command(&command, remote, err);
	return rc < 0 ? rc : start_words(remote, words, command.text, err);
}

void remote_stop(struct remote *remote)
{
	if (remote->is_started)
		child_stop(&remote->child);
}

/* ---- patience ---- */

static unsigned timeout_of(const struct remote *remote)
{
	return remote->options.timeout_s ? remote->options.timeout_s : PATIENCE_S;
}

static void be_patient(struct remote *remote, uint64_t seconds)
{
	remote->patience_s = seconds < INT32_MAX ? (unsigned)seconds : INT32_MAX;
	child_limit_writing(&remote->child, remote->patience_s);
}

/* Lines may come byte by byte, but not for ever. */
void remote_expect_answer(struct remote *remote)
{
	be_patient(remote, timeout_of(remote));
	remote->deadline_ns = time_now_ns() +
			      (uint64_t)remote->patience_s * WORK_FACTOR * NS_PER_SECOND;
}

/* ssh asks for passwords before the first line comes from over there. */
void remote_expect_greeting(struct remote *remote)
{
	if (!remote->options.may_ask)
		remote_expect_answer(remote);
}

void remote_expect_work(struct remote *remote, uint64_t bytes)
{
	be_patient(remote,
		   (uint64_t)timeout_of(remote) * WORK_FACTOR + bytes / WORK_PER_S);
	remote->deadline_ns = 0;
}

int remote_result(const struct remote *remote, int rc, struct expt_error *err)
{
	if (rc == -ECONNRESET) /* the other side has ended with input unread */
		return expt_fail(err, -EPIPE, "cannot send to '%s'", remote->host);
	if (rc == -EAGAIN || rc == -ETIMEDOUT)
		return expt_refuse(err, -ETIMEDOUT,
				   "'%s' has not answered for %u second%s", remote->host,
				   remote->patience_s,
				   remote->patience_s == 1 ? "" : "s");
	return rc;
}

int remote_fail_answer(const struct remote *remote, int rc, struct expt_error *err)
{
	if (rc == -EBADMSG)
		return expt_refuse(err, rc, "unexpected answer from '%s'", remote->host);
	expt_fail(err, rc, "unexpected answer from '%s'", remote->host);
	return remote_result(remote, rc, err);
}

/* ---- lines ---- */

int remote_send_lines(struct remote *remote, const struct strbuf *text)
{
	struct child_writing writing;
	int rc;

	if (text->failed)
		return -ENOMEM;
	child_begin_writing(&writing);
	rc = io_write_all(remote->child.in, strbuf_text(text), text->length);
	child_end_writing(&writing);
	return remote_result(remote, rc, NULL);
}

/* Read byte by byte: the stream follows the last line directly. */
int remote_read_line(struct remote *remote, struct strbuf *line)
{
	char c = '\0';
	ssize_t got = 0;

	strbuf_clear(line);
	while (line->length < LINE_MAX_LENGTH && !line->failed &&
	       (got = io_read_within(remote->child.out, &c, 1, remote->patience_s)) > 0 &&
	       c != '\n') {
		strbuf_add_char(line, c);
		if (remote->deadline_ns && time_now_ns() > remote->deadline_ns)
			return -ETIMEDOUT;
	}
	if (line->failed)
		return -ENOMEM;
	if (got < 0)
		return remote_result(remote, (int)got, NULL);
	return got > 0 || line->length > 0;
}

static const char *program_there(const struct remote *remote)
{
	if (remote->means == REMOTE_NOTHING)
		return "the command";
	if (remote->means != REMOTE_ERKIT)
		return "tar";
	return remote->path ? "er_import" : "er_export";
}

static int describe_status(const struct remote *remote, int status,
			   struct expt_error *err)
{
	if (WIFSIGNALED(status))
		return expt_refuse(err, -EBADMSG,
				   "'%s': the remote shell was killed by signal %d",
				   remote->host, WTERMSIG(status));
	if (WEXITSTATUS(status) == STATUS_NO_REMOTE)
		return expt_refuse(err, -EBADMSG, "the connection to '%s' failed",
				   remote->host);
	return expt_refuse(err, -EBADMSG, "%s failed on '%s', with status %d",
			   program_there(remote), remote->host, WEXITSTATUS(status));
}

/* A broken pipe or a truncated stream is only how a failure over there shows here. */
static bool is_consequence(int rc)
{
	return rc == 0 || rc == -EPIPE || rc == -EBADMSG;
}

/* SIGPIPE, because the output was closed here, is not the real cause. */
static bool is_of_our_doing(int rc, int status)
{
	return rc < 0 && (WIFSIGNALED(status) ? WTERMSIG(status) == SIGPIPE
					      : WEXITSTATUS(status) == 128 + SIGPIPE);
}

int remote_wait(struct remote *remote, int rc, struct expt_error *err)
{
	int status, waited;

	child_close_input(&remote->child);
	/* Its remaining output is not read, and must not block it. */
	if (rc < 0)
		child_close_output(&remote->child);
	if (rc < 0 && !is_consequence(rc))
		child_stop(&remote->child);
	waited = child_wait(&remote->child, &status, remote->patience_s);
	if (waited == -ETIMEDOUT && is_consequence(rc))
		return remote_result(remote, waited, err);
	if (waited < 0 && rc == 0)
		return expt_fail(err, waited, "cannot wait for '%s'", remote->host);
	if (waited == 0 && status != 0 && is_consequence(rc) &&
	    !is_of_our_doing(rc, status))
		return describe_status(remote, status, err);
	return rc;
}
