/* SPDX-License-Identifier: Apache-2.0 */
/* Marks a copy in the files that readers show first: its notes and its warnings. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/manage/marks.h"

static bool has_file(const struct tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->count; i++)
		if (strcmp(tree->items[i].name, name) == 0)
			return true;
	return false;
}

static int write_mark(int dir, const char *name, const char *text, bool syncs,
		      struct expt_error *err)
{
	cleanup_fd int fd =
		openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
	int rc = fd < 0 ? -errno : io_write_all(fd, text, strlen(text));

	if (rc == 0 && syncs && fsync(fd) < 0)
		rc = -errno;
	return rc < 0 ? expt_fail(err, rc, "cannot write '%s'", name) : 0;
}

int copy_mark_detached(const struct operand *operand, const struct tree *tree, int dir,
		       bool syncs, struct expt_error *err)
{
	char founder[PATH_MAX], text[PATH_MAX + 512];

	if (has_file(tree, NOTES_FILE))
		return 0;
	operand_parent_name(founder, operand);
	snprintf(text, sizeof(text), "descendant %s of %s, copied separately\n",
		 operand->name, founder);
	return write_mark(dir, NOTES_FILE, text, syncs, err);
}

int copy_mark_cut(const struct tree *tree, int dir, bool syncs, struct expt_error *err)
{
	time_t now = time(NULL);
	char date[64], text[256];
	struct tm utc;

	if (has_file(tree, WARNINGS_FILE))
		return 0;
	gmtime_r(&now, &utc);
	strftime(date, sizeof(date), "%F %T UTC", &utc);
	snprintf(text, sizeof(text),
		 "<event kind=\"cwarn\" id=\"%d\" " CUT_ATTRIBUTE "=\"%" PRId64
		 "\">copied while it was being recorded, %s</event>\n",
		 EXPT_WARNING_GENERAL, (int64_t)now, date);
	return write_mark(dir, WARNINGS_FILE, text, syncs, err);
}
