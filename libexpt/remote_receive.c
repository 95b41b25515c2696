/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments from another host: import from a pipe. */
#include <errno.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/error.h"
#include "libexpt/remote.h"
#include "libexpt/report.h"

static int tell_options(struct expt_remote *remote, const struct expt_export_options *giving)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "-a %s%s%s%s\n", expt_archive_mode_name(giving->mode),
		      remote->options.is_quiet ? " -q" : "",
		      giving->without_archives ? " --no-archives" : "",
		      giving->dry_run ? " -n" : "");
	return remote_tell(remote, &text);
}

/* "copied test.1.er: 5 files, 20 bytes" */
static void take_plan(struct expt_report *report, char *line)
{
	char *end;

	if (!text_starts_with(line, "copied ") || !(end = strrchr(line, ':')))
		return;
	*end = '\0';
	expt_report_add(report, EXPT_COPIED, line + strlen("copied "), "%s",
			end[1] == ' ' ? end + 2 : "");
}

static void read_plans(struct expt_remote *remote, struct expt_report *report)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;

	while (remote_read_line(remote, &line) > 0)
		if (line.length)
			take_plan(report, line.text);
}

/* What stands behind the last experiment, a table of frames as a rule: who writes it must not find
 * the pipe closed. */
static void drain(struct expt_remote *remote, const volatile int *stop)
{
	char buffer[65536];

	while (!(stop && *stop) &&
	       io_read_full(remote->child.out, buffer, sizeof buffer) > 0)
		;
}

static int stream(struct expt_remote *remote, const struct expt_export_options *giving,
		  const struct expt_import_options *taking, struct expt_error *err)
{
	int rc = tell_options(remote, giving);

	if (rc < 0)
		return expt_fail(err, rc, "cannot receive from '%s'", remote->host);
	if (giving->dry_run) {
		read_plans(remote, giving->report);
		return 0;
	}
	rc = expt_import(NULL, remote->child.out, taking, err);
	if (rc >= 0)
		drain(remote, taking->stop);
	return rc;
}

/* Nothing comes out that was not asked for: the other side could replace what it likes. Which members a
 * group has is known over there only. */
static int limit_names(struct expt_import_options *taking, const struct expt_remote *remote,
		       const char ***out, struct expt_error *err)
{
	const char **names = calloc(remote->things.count + 1, sizeof *names);
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

int expt_remote_receive(struct expt_remote *remote,
			const struct expt_export_options *giving,
			const struct expt_import_options *taking, struct expt_error *err)
{
	struct expt_import_options options = *taking;
	cleanup_free const char **names = NULL;
	int rc;

	if (remote->means != REMOTE_ERKIT && giving->dry_run)
		return 0; /* tar does not tell what it would do */
	if (remote->means != REMOTE_ERKIT && giving->mode != EXPT_ARCHIVE_OFF)
		return expt_fail(err, -ENOTSUP,
				 "er_export is missing on '%s': archives cannot be "
				 "completed there",
				 remote->host);
	rc = limit_names(&options, remote, &names, err);
	if (rc == 0)
		rc = stream(remote, giving, &options, err);
	return remote_finish(remote, rc, err);
}
