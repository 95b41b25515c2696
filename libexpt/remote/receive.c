/* SPDX-License-Identifier: Apache-2.0 */
/* Receives experiments from another host: an import from a pipe. */
#include <errno.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/bundle/limits.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/remote/private.h"

#define PLANS_MAX 1000000

static int tell_options(struct remote *remote, const struct expt_export_options *giving)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "-a %s%s%s%s\n", expt_archive_mode_name(giving->mode),
		      remote->options.is_quiet ? " -q" : "",
		      giving->without_archives ? " --no-archives" : "",
		      giving->operation.dry_run ? " -n" : "");
	return remote_send_lines(remote, &text);
}

/* Parse a line like "copied test.1.er: 5 files, 20 bytes". */
static void take_plan(struct expt_report *report, char *line)
{
	char *end;

	if (!text_starts_with(line, "copied ") || !(end = strrchr(line, ':')))
		return;
	*end = '\0';
	expt_report_add(report, EXPT_COPIED, line + strlen("copied "), "%s",
			end[1] == ' ' ? end + 2 : "");
}

/* A group may have more members than there are items. */
static int read_plans(struct remote *remote, struct expt_report *report)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;
	int rc;

	for (size_t lines = 0; (rc = remote_read_line(remote, &line)) > 0; lines++) {
		if (lines == PLANS_MAX)
			return -EBADMSG;
		if (line.length)
			take_plan(report, line.text);
	}
	return rc;
}

/* Read what follows the last experiment, usually a seek table: the writer must not find
 * the pipe closed. */
static int drain(struct remote *remote, const volatile int *stop)
{
	uint64_t left = LIMITS_TRAILER;
	char buffer[65536];
	ssize_t got = 0;

	while (!(stop && *stop) && left > sizeof(buffer) &&
	       (got = io_read_within(remote->child.out, buffer, sizeof(buffer),
				     remote->patience_s)) > 0)
		left -= (uint64_t)got;
	return got > 0 && !(stop && *stop) ? -EBADMSG : (int)got;
}

static int fail(const struct remote *remote, int rc, struct expt_error *err)
{
	return rc < 0 ? remote_fail_answer(remote, rc, err) : 0;
}

static int stream(struct remote *remote, const struct expt_export_options *giving,
		  const struct expt_import_options *taking, struct expt_error *err)
{
	int rc = tell_options(remote, giving);

	if (rc < 0)
		return expt_fail(err, rc, "cannot receive from '%s'", remote->host);
	if (giving->operation.dry_run)
		return fail(remote, read_plans(remote, giving->operation.report), err);
	rc = expt_import(NULL, remote->child.out, taking, err);
	return rc < 0 ? remote_result(remote, rc, err)
		      : fail(remote, drain(remote, taking->operation.stop), err);
}

/* Accept only names that were asked for: otherwise the other side could replace anything
 * here. The members of a group are known only over there. */
static int limit_names(struct expt_import_options *taking, const struct remote *remote,
		       const char ***out, struct expt_error *err)
{
	const char **names = calloc(remote->things.count + 1, sizeof(*names));
	size_t count = 0;

	*out = names;
	if (!names)
		return expt_fail(err, -ENOMEM, "cannot receive from '%s'", remote->host);
	taking->only = names;
	for (size_t i = 0; i < remote->things.count; i++) {
		const struct remote_item *item = &remote->things.items[i];

		if (expt_name_is_group(item->name))
			taking->only = NULL;
		names[count++] = item->name;
	}
	return 0;
}

int remote_receive(struct remote *remote, const struct expt_export_options *giving,
		   const struct expt_import_options *taking, struct expt_error *err)
{
	struct expt_import_options options = *taking;
	cleanup_free const char **names = NULL;
	int rc;

	options.timeout_s = remote->patience_s;
	if (remote->means != REMOTE_ERKIT && giving->operation.dry_run)
		return 0; /* tar cannot say what it would do */
	if (remote->means != REMOTE_ERKIT && giving->mode != EXPT_ARCHIVE_OFF)
		return expt_refuse(
			err, -ENOTSUP,
			"er_export is missing on '%s': cannot complete archives there",
			remote->host);
	rc = limit_names(&options, remote, &names, err);
	if (rc == 0)
		rc = stream(remote, giving, &options, err);
	return remote_wait(remote, rc, err);
}
