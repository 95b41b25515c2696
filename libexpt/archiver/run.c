/* SPDX-License-Identifier: Apache-2.0 */
/* One run of an archiver, from the lists to the manifest. */
#include "libexpt/archiver/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"

/* Refuse a link: it would redirect everything that is written. */
static int open_archives(struct archiver *archiver, struct expt_error *err)
{
	bool is_wanted = !archiver->asked.options->check_only &&
			 !archiver->asked.options->operation.dry_run;
	cleanup_access const struct access *writing =
		access_for_writing(&archiver->to.access);
	int rc = is_wanted ? io_make_directory(archive_home(archiver), ARCHIVES_DIR,
					       DIRECTORY_MODE)
			   : 0;

	if (rc < 0 && rc != -EEXIST)
		return expt_fail(err, rc, "cannot create '%s/%s'", archiver->known.path,
				 ARCHIVES_DIR);
	archiver->to.archives = openat(archive_home(archiver), ARCHIVES_DIR,
				       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (archiver->to.archives >= 0 || (errno == ENOENT && !is_wanted))
		return 0;
	if (errno == ENOTDIR || errno == ELOOP)
		return expt_refuse(err, -EPERM, "'%s/%s' is not a directory",
				   archiver->known.path, ARCHIVES_DIR);
	return expt_fail(err, -errno, "cannot open '%s/%s'", archiver->known.path,
			 ARCHIVES_DIR);
}

static int read_manifest(struct archiver *archiver, struct expt_error *err)
{
	int rc = archive_read_manifest(archiver);

	if (rc < 0)
		return expt_fail(err, rc, "cannot read '%s/%s/%s'", archiver->known.path,
				 ARCHIVES_DIR, MANIFEST_FILE);
	if (archiver->known.manifest.damaged_line)
		archive_say(archiver, EXPT_NOTE, ARCHIVES_DIR "/" MANIFEST_FILE,
			    "cannot read line %zu; checking its object again",
			    archiver->known.manifest.damaged_line);
	return 0;
}

static int write_manifest(const struct archiver *archiver, struct expt_error *err)
{
	cleanup_access const struct access *writing = NULL;
	cleanup_fd int lock = -1;

	if (archiver->to.changes.count == 0)
		return 0;
	writing = access_for_writing(&archiver->to.access);
	/* Use a separate descriptor, so that the lock ends with it. Where file systems
	 * have no locks, parallel archivers do not see each other either. */
	lock = openat(archiver->to.archives, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock >= 0)
		while (flock(lock, LOCK_EX) < 0 && errno == EINTR)
			;
	if (!archive_is_current(archiver, archiver->to.archives))
		return -ESTALE;
	return manifest_merge(&archiver->to.changes, archiver->to.archives,
			      archiver->to.has_private, err);
}

/* Work done before a failure is recorded, too. */
static int fill_archives(struct archiver *archiver, struct expt_error *err)
{
	int rc, written;

	archive_clean(archiver);
	rc = archive_all(archiver, err);
	if (rc < 0 && !archive_is_current(archiver, archiver->to.archives))
		return -ESTALE;
	written = write_manifest(archiver, rc < 0 ? NULL : err);
	return rc < 0 ? rc : written;
}

/* Renewing only some members or files would drop the rest. */
static bool is_whole(const struct archiver *archiver)
{
	return !archiver->asked.options->is_founder_only &&
	       archiver->asked.patterns.count == 0 &&
	       !*archiver->known.members.items->name;
}

/* Act as if nothing were archived, except files that cannot be made again. */
static int plan_renewal(struct archiver *archiver, struct expt_error *err)
{
	archiver->to.previous = archiver->to.archives;
	archiver->to.archives = -1;
	manifest_release(&archiver->known.manifest);
	return archive_all(archiver, err);
}

/* Called with the lists made and archives/ open. */
static int act(struct archiver *archiver, const char *path, struct expt_error *err)
{
	const struct expt_archive_options *options = archiver->asked.options;
	bool is_renewal = options->renew && !options->check_only;

	if (is_renewal && !is_whole(archiver)) {
		archive_say(archiver, EXPT_NOTE, path,
			    "not archived again: only whole experiments can be");
		is_renewal = false;
	}
	if (options->operation.dry_run && is_renewal)
		return plan_renewal(archiver, err);
	if (options->check_only || options->operation.dry_run)
		return archive_all(archiver, err);
	return is_renewal ? archive_renew(archiver, err) : fill_archives(archiver, err);
}

/* Only writing needs the store: the links show where archived files are. */
static int open_store(struct archiver *archiver, struct expt_error *err)
{
	const struct expt_archive_options *options = archiver->asked.options;
	cleanup_access const struct access *acting = NULL;
	int rc;

	if (!options->store || options->check_only || options->operation.dry_run)
		return 0;
	acting = access_as_ourselves(&archiver->to.access);
	rc = store_open(&archiver->to.store, options->store, archiver->known.path,
			options->has_relative_links, err);
	if (rc == 0)
		origins_copy_below(archiver->to.access.origins, archiver->to.store.dir);
	return rc;
}

static int run(struct archiver *archiver, const char *path, struct expt_error *err)
{
	const struct expt_archive_options *options = archiver->asked.options;
	size_t said = options->operation.report
			      ? expt_report_count(options->operation.report)
			      : 0;
	int rc = archive_patterns_open(&archiver->asked.patterns, options->patterns, err);

	if (rc == 0)
		rc = archive_open(archiver, path, err);
	if (rc < 0 || options->mode == EXPT_ARCHIVE_OFF)
		return rc;
	rc = archive_list(archiver, err);
	if (rc == 0 && archive_needs_used(options->mode))
		rc = archive_find_used(archiver, err);
	if (rc == 0)
		rc = open_archives(archiver, err);
	if (rc == 0)
		rc = read_manifest(archiver, err);
	if (rc == 0)
		rc = open_store(archiver, err);
	if (rc == 0)
		rc = act(archiver, path, err);
	if (rc == 0 && options->log_notes && options->operation.report &&
	    !options->check_only && !options->operation.dry_run)
		rc = archive_log_notes(archiver, said, err);
	return rc;
}

int archive_once(const char *path, int copy, const struct expt_archive_options *options,
		 struct expt_error *err)
{
	struct archiver archiver = {
		.asked.options = options,
		.known.path = path,
		.known.founder = -1,
		.to.archives = -1,
		.to.copy = copy,
		.to.previous = -1,
		.to.store = STORE_INIT,
	};
	int rc = run(&archiver, path, err);

	if (rc == 0 && archiver.to.is_incomplete)
		rc = EXPT_ARCHIVE_INCOMPLETE;
	archive_release(&archiver);
	return rc;
}
