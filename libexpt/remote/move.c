/* SPDX-License-Identifier: Apache-2.0 */
/* Moves to another host: the source is removed when the other side has reported that all
 * of it has arrived. If that report is lost, repeating the move finds that only the
 * removal is left to do. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/digest.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/copy/compare.h"
#include "libexpt/manage/operand_remove.h"
#include "libexpt/remote/private.h"

int remote_prepare_move(const struct remote *remote, struct remote_item *item,
			struct expt_error *err)
{
	int rc = operand_open(&item->source, item->path, err);

	if (rc == 0)
		rc = operand_read_log(&item->source, item->path, err);
	if (rc < 0)
		return rc;
	if (item->source.is_descendant)
		return expt_refuse(err, -EINVAL,
				   "'%s' is part of another experiment: copy it instead",
				   item->path);
	if (item->source.is_live && !remote->options.move_even_live)
		return expt_refuse(err, -EPERM, "'%s' is still being recorded",
				   item->path);
	rc = operand_check_removable(&item->source, item->path, err);
	if (rc < 0)
		return rc;
	rc = operand_list(&item->tree, &item->source, NULL, err);
	operand_close_directories(&item->source); /* because there may be many items */
	return rc < 0 ? expt_fail_in(err, rc, "'%s'", item->path) : 0;
}

/* The other side has the source as it was when sent: refuse to remove it if it has
 * changed since. */
static int check_unchanged(const struct remote_item *item, struct expt_error *err)
{
	if (item->source.is_live) /* as the caller wanted */
		return 0;
	return tree_check_unchanged(&item->tree, item->source.dir, err);
}

static int remove_source(struct remote_item *item, struct expt_error *err)
{
	int rc;

	if (item->group)
		return expt_group_remove(item->group, err);
	rc = check_unchanged(item, err);
	return rc < 0 ? rc : operand_remove(&item->source, item->path, NULL, err);
}

void remote_remove_sources(const struct remote *remote, struct expt_report *report)
{
	bool is_complete = !report || expt_report_is_complete(report);
	struct expt_error why;

	for (size_t i = 0; i < remote->things.count; i++) {
		struct remote_item *item = &remote->things.items[i];

		if (!item->has_arrived)
			continue;
		if (!is_complete)
			expt_report_add(report, EXPT_FAILED, item->path,
					"not removed: the copy is incomplete");
		else if (remove_source(item, &why) < 0)
			expt_report_add(report, EXPT_FAILED, item->path,
					"copied, but not removed: %s", why.message);
		else if (item->source.is_live)
			expt_report_add(report, EXPT_NOTE, item->path,
					"still being recorded under its old name");
	}
}

/* ---- interrupted moves ---- */

/* A thread that sums the stream, whose bytes are the same on every host. */
struct summing {
	int from;
	struct digest *digest;
	char text[DIGEST_TEXT];
	uint64_t bytes;
	int rc;
};

static void *sum_stream(void *data)
{
	struct summing *summing = data;
	unsigned char buffer[65536], sum[DIGEST_SIZE];
	ssize_t got;

	while ((got = io_read_full(summing->from, buffer, sizeof(buffer))) > 0) {
		digest_add(summing->digest, buffer, (size_t)got);
		summing->bytes += (uint64_t)got;
	}
	summing->rc = got < 0 ? (int)got : digest_finish(summing->digest, sum, NULL);
	if (summing->rc == 0)
		digest_text(summing->text, sum);
	return NULL;
}

static int export_to(int fd, const char *path, const volatile int *stop,
		     struct expt_error *err)
{
	const struct expt_export_options plain = {
		.compression = EXPT_COMPRESSION_NONE,
		.operation.stop = stop,
	};

	return expt_export(&path, 1, NULL, fd, &plain, err);
}

/* Sum an uncompressed bundle, which is never stored. */
static int sum_here(struct summing *summing, const char *path, const volatile int *stop,
		    struct expt_error *err)
{
	pthread_t thread;
	int ends[2], rc;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return expt_fail(err, -errno, "cannot create a pipe");
	summing->from = ends[0];
	rc = -pthread_create(&thread, NULL, sum_stream, summing);
	if (rc == 0) {
		rc = export_to(ends[1], path, stop, err);
		close(ends[1]);
		pthread_join(thread, NULL);
	} else {
		expt_fail(err, rc, "cannot start a thread");
		close(ends[1]);
	}
	close(ends[0]);
	if (rc == 0 && summing->rc < 0)
		rc = expt_fail(err, summing->rc, "cannot read '%s'", path);
	return rc;
}

/* Returns 1 if the experiment over there has the same checksum. */
static int is_sum_there(struct remote *remote, const struct remote_item *item,
			const struct summing *here, struct expt_error *err)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	int rc;

	remote_expect_work(remote, here->bytes);
	strbuf_printf(&line, "sum\n%s\n", item->name);
	rc = remote_send_lines(remote, &line);
	if (rc == 0)
		rc = remote_read_line(remote, &line);
	if (rc > 0)
		return text_starts_with(strbuf_text(&line), here->text);
	return remote_fail_answer(remote, rc < 0 ? rc : -EBADMSG, err);
}

static int is_same_there(struct remote *remote, const struct remote_item *item,
			 struct expt_error *err)
{
	struct summing summing = { .from = -1 };
	int rc = digest_open(&summing.digest, err);

	if (rc == 0)
		rc = sum_here(&summing, item->path, remote->options.stop, err);
	digest_close(summing.digest);
	return rc < 0 ? rc : is_sum_there(remote, item, &summing, err);
}

int remote_finish_move(struct remote *remote, size_t operand, struct expt_error *err)
{
	struct remote_item *found = NULL;
	int rc;

	for (size_t i = 0; i < remote->things.count; i++)
		if (remote->things.items[i].operand == operand) {
			if (found) /* a group may be there in part */
				return 0;
			found = &remote->things.items[i];
		}
	if (!found || !found->is_there || !remote->options.move ||
	    found->source.is_live || remote->means != REMOTE_ERKIT || !remote->has_sums)
		return 0;
	rc = is_same_there(remote, found, err);
	if (rc <= 0)
		return rc;
	remote_drop(remote, operand);
	rc = remove_source(found, err);
	return rc < 0 ? rc : 1;
}
