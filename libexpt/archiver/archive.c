/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes an experiment self-contained: archives/ of the founder gets copies and
 * descriptions of its load objects. Several archivers may work on one founder at the
 * same time: files appear by rename, and the manifest is merged under a lock of the
 * directory.
 */
#include "libexpt/archiver/private.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/common/error.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/format.h"

int archive_into(int copy, const char *from, const struct expt_archive_options *options,
		 struct expt_error *err)
{
	return archive_once(from, copy, options, err);
}

/* Returns true for a bundle, or an experiment in one. */
static bool is_in_file(const char *path)
{
	struct stat status;

	return stat(path, &status) < 0 ? errno == ENOTDIR : expt_is_bundle(path);
}

int expt_archive(const char *path, const struct expt_archive_options *options,
		 struct expt_error *err)
{
	static const struct expt_archive_options standard = { .mode = EXPT_ARCHIVE_COPY };
	int rc = -ESTALE;

	if (options && options->check_only && is_in_file(path))
		return archive_check_bundle(path, options, err);
	/* Only another archiver that makes everything again replaces archives/. */
	for (int i = 0; rc == -ESTALE && i < 10; i++)
		rc = archive_once(path, -1, options ? options : &standard, err);
	if (rc == -ESTALE)
		return expt_fail(err, -EBUSY, "cannot archive '%s'", path);
	return rc;
}

/* ---- whether to archive ---- */

static bool is_archiving_off(const struct expt *expt)
{
	for (size_t i = 0; i < expt_event_count(expt); i++) {
		const struct expt_event *event = expt_event(expt, i);

		if (event->kind == EXPT_EVENT_COMMENT &&
		    (strcmp(event->text, NO_ARCHIVE_COMMENT) == 0 ||
		     strcmp(event->text, NO_ARCHIVE_COMMENT_GPROFNG) == 0))
			return true;
	}
	return false;
}

static bool has_archives(const struct expt *expt)
{
	cleanup_folder struct folder archives = FOLDER_NONE;
	struct folder_names names = { 0 };
	bool has_any;

	if (folder_open(&archives, &expt->folder, ARCHIVES_DIR) < 0)
		return false;
	has_any = folder_list(&names, &archives) == 0 && names.count > 0;
	folder_names_release(&names);
	return has_any;
}

bool expt_lacks_archives(const struct expt *expt)
{
	return !has_archives(expt) && !is_archiving_off(expt);
}
