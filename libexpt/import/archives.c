/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The archives of a rank become those of its founder. A load object that the founder has
 * already is left out; another one of the same path gets a name of its own, as when it is
 * archived. Other files of the same name stay as the founder has them.
 */
#include "libexpt/import/private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archives/manifest.h"
#include "libexpt/archives/name.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/stage/rename.h"
#include "libexpt/stage/temporary.h"
#include "libexpt/tree/remove.h"

struct merge {
	int from, to; /* the archives of the rank, and of the founder */
	struct manifest theirs, ours, changes;
	bool is_private;
};

static void release(struct merge *merge)
{
	if (merge->from >= 0)
		close(merge->from);
	if (merge->to >= 0)
		close(merge->to);
	manifest_release(&merge->theirs);
	manifest_release(&merge->ours);
	manifest_release(&merge->changes);
}

/* ---- objects of one path ---- */

static bool is_object(const struct manifest_entry *entry)
{
	return manifest_is_archived(entry);
}

static bool is_same_object(const struct manifest_entry *a, const struct manifest_entry *b)
{
	if (*a->build_id || *b->build_id)
		return strcmp(a->build_id, b->build_id) == 0;
	return a->size == b->size && a->mtime_ns == b->mtime_ns;
}

static int rename_file(const struct merge *merge, const char *from, const char *to,
		       struct expt_error *err)
{
	int rc = stage_rename(merge->from, from, merge->to, to);

	return rc < 0 && rc != -ENOENT && rc != -EEXIST
		       ? expt_fail(err, rc, "cannot move '%s/%s'", ARCHIVES_DIR, from)
		       : 0;
}

/* Move the copy and the description of an object, of which there may be one or both. */
static int move_object(const struct merge *merge, const char *path, const char *version,
		       struct expt_error *err)
{
	char from[ARCHIVE_NAME_SIZE], to[ARCHIVE_NAME_SIZE];
	int rc;

	expt_archive_name(from, path);
	expt_archive_name(to, version);
	rc = rename_file(merge, from, to, err);
	if (rc < 0)
		return rc;
	expt_archive_description_name(from, path);
	expt_archive_description_name(to, version);
	return rename_file(merge, from, to, err);
}

static int put(struct merge *merge, const struct manifest_entry *entry, const char *path,
	       struct expt_error *err)
{
	struct manifest_entry changed = *entry;

	changed.path = path;
	return manifest_put(&merge->changes, &changed) < 0
		       ? expt_fail(err, -ENOMEM, "cannot read '%s'", ARCHIVES_DIR)
		       : 0;
}

static int merge_version(struct merge *merge, const struct manifest_entry *entry,
			 struct expt_error *err)
{
	cleanup_strbuf struct strbuf version = STRBUF_INIT;
	int rc;

	archive_version_path(&version, entry->path, entry->build_id, entry->size,
			     entry->mtime_ns);
	if (version.failed)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", ARCHIVES_DIR);
	rc = move_object(merge, entry->path, version.text, err);
	return rc < 0 ? rc : put(merge, entry, version.text, err);
}

static int merge_entry(struct merge *merge, const struct manifest_entry *entry,
		       struct expt_error *err)
{
	const struct manifest_entry *ours = manifest_find(&merge->ours, entry->path);
	bool is_missing = ours && is_object(entry) && !is_object(ours);
	int rc;

	if (ours && !is_missing)
		return is_object(entry) && !is_same_object(entry, ours)
			       ? merge_version(merge, entry, err)
			       : 0;
	rc = is_object(entry) ? move_object(merge, entry->path, entry->path, err) : 0;
	return rc < 0 ? rc : put(merge, entry, entry->path, err);
}

static int merge_entries(struct merge *merge, struct expt_error *err)
{
	int rc = manifest_read(&merge->theirs, &(struct folder){ .dir = merge->from });

	if (rc == 0)
		rc = manifest_read(&merge->ours, &(struct folder){ .dir = merge->to });
	if (rc < 0)
		return expt_fail(err, rc, "cannot read '%s/%s'", ARCHIVES_DIR,
				 MANIFEST_FILE);
	for (size_t i = 0; rc == 0 && i < merge->theirs.count; i++)
		rc = merge_entry(merge, &merge->theirs.items[i], err);
	return rc;
}

/* ---- all files ---- */

/* Move those that are not load objects, or are in no manifest. */
static int merge_files(const struct merge *merge, struct expt_error *err)
{
	struct folder_names names;
	int rc = folder_list(&names, &(struct folder){ .dir = merge->from });

	if (rc < 0)
		return expt_fail(err, rc, "cannot list '%s'", ARCHIVES_DIR);
	for (size_t i = 0; rc == 0 && i < names.count; i++)
		if (strcmp(names.items[i].name, MANIFEST_FILE) != 0)
			rc = rename_file(merge, names.items[i].name, names.items[i].name,
					 err);
	folder_names_release(&names);
	return rc;
}

/* Archivers of the founder wait, so that temporary files are those of killed ones. */
static int merge_all(struct merge *merge, struct expt_error *err)
{
	cleanup_fd int lock = openat(merge->to, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat manifest;
	int rc;

	if (lock >= 0)
		while (flock(lock, LOCK_EX) < 0 && errno == EINTR)
			;
	temporary_clean(merge->to, ARCHIVES_DIR, true);
	merge->is_private = fstatat(merge->from, MANIFEST_FILE, &manifest,
				    AT_SYMLINK_NOFOLLOW) == 0 &&
			    (manifest.st_mode & S_IRWXG) == 0;
	rc = merge_entries(merge, err);
	if (rc == 0)
		rc = merge_files(merge, err);
	if (rc == 0 && merge->changes.count > 0)
		rc = manifest_merge(&merge->changes, merge->to, merge->is_private, err);
	return rc;
}

int import_merge_archives(int from, int founder, struct expt_error *err)
{
	cleanup(release) struct merge merge = {
		.from = -1,
		.to = -1,
		.theirs = MANIFEST_INIT,
		.ours = MANIFEST_INIT,
		.changes = MANIFEST_INIT,
	};
	int rc = stage_rename(from, ARCHIVES_DIR, founder, ARCHIVES_DIR);

	if (rc == 0 || rc == -ENOENT)
		return 0;
	if (rc != -EEXIST)
		return expt_fail(err, rc, "cannot move '%s'", ARCHIVES_DIR);
	merge.from = io_open_beneath(from, ARCHIVES_DIR, O_RDONLY | O_DIRECTORY, 0);
	merge.to = io_open_beneath(founder, ARCHIVES_DIR, O_RDONLY | O_DIRECTORY, 0);
	if (merge.from < 0 || merge.to < 0)
		return expt_fail(err, merge.from < 0 ? merge.from : merge.to,
				 "cannot open '%s'", ARCHIVES_DIR);
	rc = merge_all(&merge, err);
	if (rc == 0)
		rc = tree_unlink(merge.from, NULL, err);
	if (rc == 0 && unlinkat(from, ARCHIVES_DIR, AT_REMOVEDIR) < 0)
		rc = expt_fail(err, -errno, "cannot remove '%s'", ARCHIVES_DIR);
	return rc;
}
