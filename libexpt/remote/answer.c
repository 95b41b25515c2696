/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges what precedes the stream. */
#include <errno.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/remote/private.h"

#define GREETING "erkit-remote "

static int tell_names(struct remote *remote)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	if (!remote->path)
		return 0;
	for (size_t i = 0; i < remote->things.count; i++)
		if (!remote_is_dropped(remote, &remote->things.items[i]))
			strbuf_printf(&text, "%s\n", remote->things.items[i].name);
	strbuf_add_char(&text, '\n');
	return remote_send_lines(remote, &text);
}

static bool read_greeting(struct remote *remote, const char *text)
{
	static const char *const words[] = {
		[REMOTE_NOTHING] = "none ",
		[REMOTE_TAR] = "tar ",
		[REMOTE_TAR_ZSTD] = "zstd ",
		[REMOTE_ERKIT] = "erkit ",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (text_starts_with(text, words[i])) {
			remote->means = (enum remote_means)i;
			remote->has_sums = strcmp(text + strlen(words[i]), "sums") == 0;
			return true;
		}
	return false;
}

/* Returns the nth of the items that were named to the other side. */
static struct remote_item *nth_item(struct remote *remote, uint64_t n)
{
	for (size_t i = 0; i < remote->things.count; i++)
		if (!remote_is_dropped(remote, &remote->things.items[i]) && n-- == 0)
			return &remote->things.items[i];
	return NULL;
}

/* Returns 1 for the last line. */
static int take_line(struct remote *remote, const char *line)
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

/* Skip what the account's shell prints first. */
static int find_greeting(struct remote *remote, struct strbuf *line)
{
	for (unsigned noise = 0; noise < REMOTE_NOISE_MAX; noise++) {
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

/* -EBADMSG: the other side ended, sent an unknown line, or sent too many. */
static int read_answer(struct remote *remote)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	int rc = find_greeting(remote, &line);

	remote_expect_answer(remote);
	for (size_t lines = 0; rc == 0; lines++) {
		rc = remote_read_line(remote, &line);
		if (rc == 0 || lines > remote->things.count)
			rc = -EBADMSG;
		if (rc > 0)
			rc = take_line(remote, strbuf_text(&line));
	}
	return rc < 0 ? rc : 0;
}

int remote_connect(struct remote *remote, struct expt_error *err)
{
	int rc = tell_names(remote);

	if (rc == 0)
		rc = read_answer(remote);
	if (rc < 0)
		return remote_wait(remote, remote_fail_answer(remote, rc, err), err);
	remote_expect_work(remote, 0);
	if (remote->means == REMOTE_NOTHING)
		return expt_refuse(err, -ENOTSUP, "'%s' has neither %s nor tar",
				   remote->host,
				   remote->path ? "er_import" : "er_export");
	return 0;
}
