/* SPDX-License-Identifier: Apache-2.0 */
/* Adds warnings that were not to be shown immediately to the archive log of the
 * experiment. */
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"

/* Names come from maps: no byte of them may end a line. */
static void add_line(struct strbuf *text, const struct expt_report_line *line)
{
	size_t start = text->length;

	strbuf_printf(text, "warning: '%s'%s%s", line->name, *line->reason ? ": " : "",
		      line->reason);
	for (; start < text->length; start++)
		if ((unsigned char)text->text[start] < ' ')
			text->text[start] = '?';
	strbuf_add_char(text, '\n');
}

static void add_notes(struct strbuf *text, const struct expt_report *report, size_t first)
{
	for (size_t i = first; i < expt_report_count(report); i++) {
		const struct expt_report_line *line = expt_report_line(report, i);

		if (line->outcome == EXPT_NOTE)
			add_line(text, line);
	}
}

static void add_head(struct strbuf *text)
{
	time_t now = time(NULL);
	char when[32];

	if (ctime_r(&now, when))
		strbuf_printf(text, "### Start %s", when);
}

static int append(const struct archiver *archiver, const struct strbuf *text)
{
	const char *name = archiver->known.members.items->name;
	cleanup_fd int dir = io_open_beneath(archiver->known.founder, *name ? name : ".",
					     O_RDONLY | O_DIRECTORY, 0);
	cleanup_fd int log = -1;

	if (dir < 0)
		return dir;
	log = openat(dir, ARCHIVE_LOG_FILE,
		     O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
			     O_CLOEXEC,
		     FILE_MODE);
	return log < 0 ? -errno : io_write_all(log, text->text, text->length);
}

int archive_log_notes(const struct archiver *archiver, size_t first,
		      struct expt_error *err)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	size_t head;
	int rc = 0;

	add_head(&text);
	head = text.length;
	add_notes(&text, archiver->asked.options->operation.report, first);
	if (text.failed)
		rc = -ENOMEM;
	else if (text.length > head)
		rc = append(archiver, &text);
	if (rc < 0)
		return expt_fail(err, rc, "cannot write '%s/%s'", archiver->known.path,
				 ARCHIVE_LOG_FILE);
	return 0;
}
