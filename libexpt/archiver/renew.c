/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the whole archive again: a new archives/ is filled beside the old one and
 * swapped with it. Files that only the old one has are kept: on another machine they
 * cannot be made again.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/name.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/stage/temporary.h"

/* ---- leftovers ---- */

/* Remove a flat directory and its files. */
static void remove_directory(int parent, const char *name, int dir)
{
	cleanup_entries struct entries entries = entries_open(dir);
	const struct dirent64 *entry;

	while ((entry = entries_next(&entries)))
		unlinkat(dir, entry->d_name, 0);
	unlinkat(parent, name, AT_REMOVEDIR);
}

static void clean_directory(int parent, const char *name)
{
	cleanup_fd int dir =
		openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir >= 0 && part_lock(dir) >= 0)
		remove_directory(parent, name, dir);
}

void archive_clean(const struct archiver *archiver)
{
	cleanup_access const struct access *writing =
		access_for_writing(&archiver->to.access);
	cleanup_entries struct entries founder = entries_open(archive_home(archiver));
	const struct dirent64 *entry;

	while ((entry = entries_next(&founder))) {
		if (stage_is_part_name(entry->d_name, ARCHIVES_DIR))
			clean_directory(archive_home(archiver), entry->d_name);
	}
	temporary_clean(archiver->to.archives, ARCHIVES_DIR, true);
}

/* ---- the new directory ---- */

struct renewal {
	int founder, dir; /* dir is locked while the name is in use */
	char name[STAGE_NAME_SIZE];
};

static void renewal_release(const struct renewal *renewal)
{
	if (renewal->dir < 0)
		return;
	remove_directory(renewal->founder, renewal->name, renewal->dir);
	close(renewal->dir);
}

/* ---- keeping ---- */

static bool is_ours(const char *name)
{
	return strcmp(name, MANIFEST_FILE) == 0 || stage_is_part_name(name, ARCHIVES_DIR);
}

/* Returns true for the names of objects of the maps: files kept for them have been
 * reported. */
static bool is_named(const struct archiver *archiver, const char *name)
{
	for (size_t i = 0; i < archiver->known.objects.count; i++) {
		const struct archive_object *object = &archiver->known.objects.items[i];
		char copy[ARCHIVE_NAME_SIZE], description[ARCHIVE_NAME_SIZE];

		if (object->problem)
			continue;
		expt_archive_name(copy, archive_kept_path(object));
		expt_archive_description_name(description, archive_kept_path(object));
		if (strcmp(name, copy) == 0 || strcmp(name, description) == 0)
			return true;
	}
	return false;
}

/* Returns the line of the old manifest for the file with this name, or NULL. */
static const struct manifest_entry *find_line(const struct manifest *lines,
					      const char *name)
{
	for (size_t i = 0; i < lines->count; i++) {
		char copy[ARCHIVE_NAME_SIZE];

		if (lines->items[i].state < MANIFEST_DEBUG)
			continue;
		expt_archive_name(copy, lines->items[i].path);
		if (strcmp(name, copy) == 0)
			return &lines->items[i];
	}
	return NULL;
}

/* Source files have been reported, unless they were not asked for; names of code are
 * often only here. */
static void say_kept(struct archiver *archiver, const struct manifest *lines,
		     const char *name)
{
	const struct manifest_entry *line;

	if (is_named(archiver, name))
		return;
	line = find_line(lines, name);
	if (line && (line->state == MANIFEST_SOURCE || line->state == MANIFEST_NAMES))
		return;
	archive_say(archiver, EXPT_NOTE, name, "kept: %s",
		    line ? "its debug file is missing"
			 : "not a load object of this experiment");
}

static int keep_files(struct archiver *archiver, int old, int new,
		      const struct manifest *lines, struct expt_error *err)
{
	cleanup_entries struct entries entries = entries_open(old);
	const struct dirent64 *entry;

	while ((entry = entries_next(&entries))) {
		if (is_ours(entry->d_name))
			continue;
		if (linkat(old, entry->d_name, new, entry->d_name, 0) < 0) {
			if (errno == EEXIST)
				continue;
			return expt_fail(err, -errno, "cannot keep '%s/%s'", ARCHIVES_DIR,
					 entry->d_name);
		}
		say_kept(archiver, lines, entry->d_name);
	}
	/* Files that were not listed would be lost. */
	return entries.code < 0 ? expt_fail(err, entries.code, "cannot list '%s/%s'",
					    archiver->known.path, ARCHIVES_DIR)
				: 0;
}

/* Write the lines of this run, and the old manifest's lines for all other files. */
static int keep_lines(const struct archiver *archiver, int old, int new,
		      struct manifest *lines, struct expt_error *err)
{
	mode_t mode = manifest_mode(old, archiver->to.has_private);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < archiver->to.changes.count; i++)
		rc = manifest_put(lines, &archiver->to.changes.items[i]);
	if (rc < 0)
		return expt_fail(err, rc, "cannot write '%s/%s'", ARCHIVES_DIR,
				 MANIFEST_FILE);
	return manifest_write(lines, new, mode, err);
}

static int keep_old(struct archiver *archiver, int old, int new, struct expt_error *err)
{
	cleanup_manifest struct manifest lines = MANIFEST_INIT;
	int rc = manifest_read(&lines, &(struct folder){ .dir = old });

	if (rc < 0)
		return expt_fail(err, rc, "cannot read '%s/%s'", ARCHIVES_DIR,
				 MANIFEST_FILE);
	rc = keep_files(archiver, old, new, &lines, err);
	return rc < 0 ? rc : keep_lines(archiver, old, new, &lines, err);
}

/* ---- swapping ---- */

/* Where directories cannot be swapped, each file replaces its old version, which is as
 * safe. */
static int move_files(int old, int new)
{
	cleanup_entries struct entries entries = entries_open(new);
	const struct dirent64 *entry;

	while ((entry = entries_next(&entries)))
		if (renameat(new, entry->d_name, old, entry->d_name) < 0)
			return -errno;
	return entries.code;
}

static int swap(struct archiver *archiver, const struct renewal *renewal, int old)
{
	struct stat status;

	if (fstat(old, &status) < 0 || fchmod(renewal->dir, status.st_mode & 07777) < 0)
		return -errno;
	if (renameat2(archiver->known.founder, renewal->name, archiver->known.founder,
		      ARCHIVES_DIR, RENAME_EXCHANGE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP && errno != EXDEV)
		return -errno;
	return move_files(old, renewal->dir);
}

/* The lock of the old directory keeps other archivers from writing its manifest. When
 * they get the lock, they see that their directory is gone, and start again. */
static int finish(struct archiver *archiver, struct renewal *renewal, int old,
		  struct expt_error *err)
{
	int rc;

	while (flock(old, LOCK_EX) < 0 && errno == EINTR)
		;
	if (!archive_is_current(archiver, old))
		return -ESTALE;
	rc = keep_old(archiver, old, renewal->dir, err);
	if (rc < 0)
		return rc;
	rc = swap(archiver, renewal, old);
	if (rc < 0)
		return expt_fail(err, rc, "cannot replace '%s/%s'", archiver->known.path,
				 ARCHIVES_DIR);
	/* The name is now that of the old directory, unless the files were moved. */
	close(renewal->dir);
	renewal->dir = openat(archiver->known.founder, renewal->name,
			      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return 0;
}

int archive_renew(struct archiver *archiver, struct expt_error *err)
{
	cleanup_access const struct access *writing = NULL;
	cleanup(renewal_release) struct renewal renewal = {
		.founder = archiver->known.founder,
		.dir = -1,
	};
	int rc;

	archive_clean(archiver);
	writing = access_for_writing(&archiver->to.access);
	renewal.dir = part_make(renewal.name, renewal.founder, ARCHIVES_DIR,
				S_IFDIR | 0700, NULL);
	if (renewal.dir < 0)
		return expt_fail(err, renewal.dir, "cannot create a directory in '%s'",
				 archiver->known.path);
	archiver->to.previous = archiver->to.archives;
	archiver->to.archives = fcntl(renewal.dir, F_DUPFD_CLOEXEC, 0);
	if (archiver->to.archives < 0)
		return expt_fail(err, -errno, "cannot archive '%s'",
				 archiver->known.path);
	archiver->known.former = archiver->known.manifest;
	archiver->known.manifest = (struct manifest)MANIFEST_INIT;
	access_as_owner(&archiver->to.access);
	rc = archive_all(archiver, err);
	access_for_writing(&archiver->to.access);
	if (rc < 0)
		return rc;
	return finish(archiver, &renewal, archiver->to.previous, err);
}
