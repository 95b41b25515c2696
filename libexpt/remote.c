/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/remote.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/base/shell.h"
#include "libexpt/error.h"

#define LINE_MAX_LENGTH	 8192
#define NOISE_MAX	 1000	/* lines that the account's shell may print first */
#define COMMAND_MAX	 100000 /* bytes; systems take words of 128 KiB */
#define GREETING	 "erkit-remote "
#define STATUS_NO_REMOTE 255 /* ssh: there was no connection */

/* ---- names of places ---- */

size_t expt_name_host(const char *operand)
{
	size_t length = strcspn(operand, "/");
	const char *at = memchr(operand, '@', length);
	const char *host = at ? at + 1 : operand;
	const char *close = *host == '[' ? strstr(host, "]:") : NULL;
	const char *colon = memchr(operand, ':', length);

	if (close && close < operand + length)
		return (size_t)(close + 1 - operand);
	return colon ? (size_t)(colon - operand) : 0;
}

bool expt_name_is_remote(const char *operand)
{
	return expt_name_host(operand) > 0;
}

/* "me@[::1]" to "me@::1". */
static void drop_brackets(char *address)
{
	char *at = strchr(address, '@');
	char *host = at ? at + 1 : address;
	size_t length = strlen(host);

	if (*host != '[' || host[length - 1] != ']')
		return;
	memmove(host, host + 1, length - 2);
	host[length - 2] = '\0';
}

static bool is_good_address(const char *address)
{
	const char *at = strchr(address, '@');
	const char *host = at ? at + 1 : address;

	return *address != '-' && *address != '@' && *host && *host != '-';
}

int remote_split(char **host, char **address, char **path, const char *operand,
		 struct expt_error *err)
{
	size_t length = expt_name_host(operand);

	*host = *address = *path = NULL;
	if (length == 0)
		return expt_fail(err, -EINVAL, "'%s' is not on another host", operand);
	*host = strndup(operand, length);
	*address = strndup(operand, length);
	*path = strdup(operand + length + 1);
	if (!*host || !*address || !*path)
		return expt_fail(err, -ENOMEM, "cannot reach '%s'", operand);
	drop_brackets(*address);
	if (!is_good_address(*address))
		return expt_fail(err, -EINVAL, "'%s' is not the name of a host", *host);
	return 0;
}

int remote_path(struct strbuf *out, const char *path)
{
	if (strcmp(path, "~") == 0 || strcmp(path, "~/") == 0)
		path = "";
	else if (text_starts_with(path, "~/"))
		path += strlen("~/");
	if (*path != '/')
		strbuf_add_text(out, "./");
	strbuf_add(out, path, *path ? path_length(path) : 0);
	return out->failed ? -ENOMEM : 0;
}

/* ---- the handle ---- */

static struct expt_remote *new_remote(const struct expt_remote_options *options)
{
	static const struct expt_remote_options defaults = { .messages = -1 };
	struct expt_remote *remote = calloc(1, sizeof *remote);

	if (!options)
		options = &defaults;
	if (!remote)
		return NULL;
	remote->options = *options;
	remote->shell =
		strdup(options->shell && *options->shell ? options->shell : "ssh -x -T");
	if (remote->shell)
		return remote;
	free(remote);
	return NULL;
}

int expt_remote_to(struct expt_remote **out, const char *place,
		   const struct expt_remote_options *options, struct expt_error *err)
{
	struct expt_remote *remote = new_remote(options);
	int rc;

	if (!remote)
		return expt_fail(err, -ENOMEM, "cannot reach '%s'", place);
	rc = remote_split(&remote->host, &remote->address, &remote->path, place, err);
	if (rc == 0 &&
	    (expt_name_is_experiment(remote->path) || expt_name_is_group(remote->path)))
		rc = expt_fail(err, -EINVAL,
			       "'%s' is no directory to put experiments into: they keep "
			       "their names on the way to another host",
			       place);
	if (rc < 0)
		expt_remote_close(remote);
	else
		*out = remote;
	return rc;
}

int expt_remote_from(struct expt_remote **out, const char *operand,
		     const struct expt_remote_options *options, struct expt_error *err)
{
	struct expt_remote *remote = new_remote(options);
	cleanup_free char *path = NULL;
	int rc;

	if (!remote)
		return expt_fail(err, -ENOMEM, "cannot reach '%s'", operand);
	rc = remote_split(&remote->host, &remote->address, &path, operand, err);
	if (rc < 0)
		expt_remote_close(remote);
	else
		*out = remote;
	return rc;
}

void remote_release_item(struct remote_item *item)
{
	free(item->path);
	operand_release(&item->source);
	tree_release(&item->tree);
}

void expt_remote_close(struct expt_remote *remote)
{
	if (!remote)
		return;
	if (remote->is_started)
		child_release(&remote->child);
	for (size_t i = 0; i < remote->things.count; i++)
		remote_release_item(&remote->things.items[i]);
	array_release(&remote->things);
	for (size_t i = 0; i < remote->operands.count; i++)
		free(remote->operands.items[i].path);
	array_release(&remote->operands);
	free(remote->host);
	free(remote->address);
	free(remote->path);
	free(remote->shell);
	free(remote);
}

struct remote_item *remote_add_item(struct expt_remote *remote, const char *path,
				    const char *name, size_t length)
{
	struct remote_item *item;
	char *copy = strdup(path);

	if (!copy || length >= sizeof item->name || !(item = array_add(&remote->things))) {
		free(copy);
		return NULL;
	}
	item->path = copy;
	item->source = (struct operand)OPERAND_INIT;
	item->operand = remote->operands.count;
	memcpy(item->name, name, length);
	return item;
}

bool remote_is_dropped(const struct expt_remote *remote, const struct remote_item *item)
{
	return remote->operands.items[item->operand].is_dropped;
}

void expt_remote_drop(struct expt_remote *remote, size_t operand)
{
	remote->operands.items[operand].is_dropped = true;
}

const char *expt_remote_there(const struct expt_remote *remote, size_t operand, size_t n)
{
	for (size_t i = 0; i < remote->things.count; i++) {
		const struct remote_item *item = &remote->things.items[i];

		if (item->operand == operand && item->is_there && n-- == 0)
			return item->name;
	}
	return NULL;
}

enum expt_remote_means expt_remote_means(const struct expt_remote *remote)
{
	if (remote->means == REMOTE_ERKIT)
		return EXPT_REMOTE_ERKIT;
	return remote->has_sums ? EXPT_REMOTE_TAR : EXPT_REMOTE_TAR_UNVERIFIED;
}

/* ---- the command ---- */

/* sh, its script, and the words of that: one string for the shell of the account over there. */
static int write_command(struct strbuf *command, const struct expt_remote *remote,
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
		return expt_fail(err, -EINVAL, "too many experiments for one command");
	return 0;
}

/* The words of the remote shell, then the host, then what it is to do there. */
static int start_words(struct expt_remote *remote, char **words, char *command,
		       struct expt_error *err)
{
	cleanup_free char **all = NULL;
	size_t count = 0;
	int rc;

	while (words[count])
		count++;
	all = calloc(count + 3, sizeof *all);
	if (!all)
		return expt_fail(err, -ENOMEM, "cannot reach '%s'", remote->host);
	memcpy(all, words, count * sizeof *all);
	all[count] = remote->address;
	all[count + 1] = command;
	rc = child_start(&remote->child, all, remote->options.messages);
	if (rc < 0)
		return expt_fail(err, rc, "cannot run '%s'", words[0]);
	remote->is_started = true;
	return 0;
}

int expt_remote_start(struct expt_remote *remote, struct expt_error *err)
{
	cleanup_strbuf struct strbuf command = STRBUF_INIT;
	cleanup_free char **words = NULL;
	int rc = shell_split(&words, remote->shell);

	if (rc < 0)
		return expt_fail(err, rc, "'%s' is no command", remote->shell);
	rc = write_command(&command, remote, err);
	return rc < 0 ? rc : start_words(remote, words, command.text, err);
}

void expt_remote_stop(struct expt_remote *remote)
{
	if (remote->is_started)
		child_stop(&remote->child);
}

int remote_tell(struct expt_remote *remote, const struct strbuf *text)
{
	struct child_writing writing;
	int rc;

	if (text->failed)
		return -ENOMEM;
	child_begin_writing(&writing);
	rc = io_write_all(remote->child.in, strbuf_text(text), text->length);
	child_end_writing(&writing);
	return rc;
}

/* Byte by byte: what comes behind the last line is the stream. */
int remote_read_line(struct expt_remote *remote, struct strbuf *line)
{
	char c = '\0';
	ssize_t got = 0;

	strbuf_clear(line);
	while (line->length < LINE_MAX_LENGTH && !line->failed &&
	       (got = io_read_full(remote->child.out, &c, 1)) > 0 && c != '\n')
		strbuf_add_char(line, c);
	if (line->failed)
		return -ENOMEM;
	return got < 0 ? (int)got : got > 0 || line->length > 0;
}

static const char *program_there(const struct expt_remote *remote)
{
	if (remote->means == REMOTE_NOTHING)
		return "the command";
	if (remote->means != REMOTE_ERKIT)
		return "tar";
	return remote->path ? "er_import" : "er_export";
}

static int describe_status(const struct expt_remote *remote, int status,
			   struct expt_error *err)
{
	if (WIFSIGNALED(status))
		return expt_fail(err, -EBADMSG,
				 "'%s': the remote shell was ended by signal %d",
				 remote->host, WTERMSIG(status));
	if (WEXITSTATUS(status) == STATUS_NO_REMOTE)
		return expt_fail(err, -EBADMSG, "the connection to '%s' failed",
				 remote->host);
	return expt_fail(err, -EBADMSG, "%s failed on '%s', with status %d",
			 program_there(remote), remote->host, WEXITSTATUS(status));
}

/* A broken pipe or a stream cut short is what we see of a failure over there. */
static bool is_consequence(int rc)
{
	return rc == 0 || rc == -EPIPE || rc == -EBADMSG;
}

/* What comes of our not reading on is no reason. */
static bool is_of_our_doing(int rc, int status)
{
	return rc < 0 && (WIFSIGNALED(status) ? WTERMSIG(status) == SIGPIPE
					      : WEXITSTATUS(status) == 128 + SIGPIPE);
}

int remote_finish(struct expt_remote *remote, int rc, struct expt_error *err)
{
	int status, waited;

	child_close_input(&remote->child);
	if (rc < 0) /* what it still has to say nobody reads, and it would wait for that */
		child_close_output(&remote->child);
	if (rc < 0 && !is_consequence(rc))
		child_stop(&remote->child);
	waited = child_wait(&remote->child, &status);
	if (waited < 0 && rc == 0)
		return expt_fail(err, waited, "cannot wait for '%s'", remote->host);
	if (waited == 0 && status != 0 && is_consequence(rc) && !is_of_our_doing(rc, status))
		return describe_status(remote, status, err);
	return rc;
}

/* ---- before the stream ---- */

static int tell_names(struct expt_remote *remote)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	if (!remote->path)
		return 0;
	for (size_t i = 0; i < remote->things.count; i++)
		if (!remote_is_dropped(remote, &remote->things.items[i]))
			strbuf_printf(&text, "%s\n", remote->things.items[i].name);
	strbuf_add_char(&text, '\n');
	return remote_tell(remote, &text);
}

static bool read_greeting(struct expt_remote *remote, const char *text)
{
	static const char *const words[] = {
		[REMOTE_NOTHING] = "none ",
		[REMOTE_TAR] = "tar ",
		[REMOTE_TAR_ZSTD] = "zstd ",
		[REMOTE_ERKIT] = "erkit ",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (text_starts_with(text, words[i])) {
			remote->means = (enum remote_means)i;
			remote->has_sums = strcmp(text + strlen(words[i]), "sums") == 0;
			return true;
		}
	return false;
}

/* Of those that were named to the other side. */
static struct remote_item *nth_item(struct expt_remote *remote, uint64_t n)
{
	for (size_t i = 0; i < remote->things.count; i++)
		if (!remote_is_dropped(remote, &remote->things.items[i]) && n-- == 0)
			return &remote->things.items[i];
	return NULL;
}

/* 1: that was the last line. */
static int take_line(struct expt_remote *remote, const char *line)
{
	struct remote_item *item;
	uint64_t n;

	if (strcmp(line, "ready") == 0)
		return 1;
	if (!text_starts_with(line, "there ") || !number_u64(&n, line + strlen("there ")))
		return -EBADMSG;
	item = nth_item(remote, n);
	if (!item)
		return -EBADMSG;
	item->is_there = true;
	return 0;
}

/* What the account's shell prints first is none of ours. */
static int find_greeting(struct expt_remote *remote, struct strbuf *line)
{
	for (unsigned noise = 0; noise < NOISE_MAX; noise++) {
		int rc = remote_read_line(remote, line);

		if (rc <= 0)
			return rc < 0 ? rc : -EBADMSG;
		if (text_starts_with(strbuf_text(line), GREETING))
			return read_greeting(remote, line->text + strlen(GREETING))
				       ? 0
				       : -EBADMSG;
	}
	return -EBADMSG;
}

/* -EBADMSG: it ended, or says what nobody understands. */
static int read_answer(struct expt_remote *remote)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	int rc = find_greeting(remote, &line);

	while (rc == 0) {
		rc = remote_read_line(remote, &line);
		if (rc == 0)
			rc = -EBADMSG;
		if (rc > 0)
			rc = take_line(remote, strbuf_text(&line));
	}
	return rc < 0 ? rc : 0;
}

int expt_remote_connect(struct expt_remote *remote, struct expt_error *err)
{
	int rc = tell_names(remote);

	if (rc == 0)
		rc = read_answer(remote);
	if (rc < 0) {
		expt_fail(err, rc, "'%s' does not answer as expected", remote->host);
		return remote_finish(remote, rc, err);
	}
	if (remote->means == REMOTE_NOTHING)
		return expt_fail(err, -ENOTSUP, "'%s' has neither %s nor tar",
				 remote->host, remote->path ? "er_import" : "er_export");
	return 0;
}
