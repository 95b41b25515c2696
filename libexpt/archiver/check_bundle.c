/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the archives of experiments in a bundle. The maps, the logs and the archives
 * are extracted into a directory of their own in TMPDIR and checked there; recorded
 * data only if the mode needs it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/bundle/package.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/stage/scratch.h"

/* Only the recorded data shows which objects were used. */
static bool is_needed(const struct member *member,
		      const struct expt_archive_options *options)
{
	const char *base = path_base(member->name);

	return archive_needs_used(options->mode) || strcmp(base, LOAD_MAP_FILE) == 0 ||
	       strcmp(base, LOG_FILE) == 0 ||
	       text_starts_with(member->path, ARCHIVES_DIR "/");
}

static int take_file(struct package *package, size_t index, int dir,
		     const struct expt_archive_options *options, struct expt_error *err)
{
	const struct member *member = &package_members(package)->items[index];
	cleanup_fd int fd = io_open_beneath(dir, member->name,
					    O_WRONLY | O_CREAT | O_EXCL, FILE_MODE);
	int rc = fd < 0 ? expt_fail(err, fd, "cannot create it") : 0;

	if (rc == 0)
		rc = package_copy(package, index, fd, options->operation.stop, err);
	return rc < 0 ? expt_fail_in(err, rc, "cannot extract '%s' from '%s'",
				     member->name, package_path(package))
		      : 0;
}

/* Create a directory or a symbolic link. */
static int make_entry(int dir, const struct member *member)
{
	const char *base;
	cleanup_fd int opened = -1;
	int parent = io_parent(dir, member->name, &base, &opened);
	int rc = parent;

	if (parent >= 0 && member->type == TAR_DIRECTORY)
		rc = mkdirat(parent, base, 0700) < 0 ? -errno : 0;
	else if (parent >= 0)
		rc = symlinkat(member->target, parent, base) < 0 ? -errno : 0;
	return rc;
}

/* A directory precedes its contents in the table. */
static int take_member(struct package *package, size_t index, int dir,
		       const struct expt_archive_options *options, struct expt_error *err)
{
	const struct member *member = &package_members(package)->items[index];
	int rc;

	if (member->type != TAR_DIRECTORY &&
	    (!*member->path || !is_needed(member, options)))
		return 0;
	if (member->type == TAR_FILE)
		return take_file(package, index, dir, options, err);
	rc = make_entry(dir, member);
	return rc < 0 ? expt_fail(err, rc, "cannot extract '%s' from '%s'", member->name,
				  package_path(package))
		      : 0;
}

static int take_all(struct package *package, int dir,
		    const struct expt_archive_options *options, struct expt_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < package_members(package)->count; i++)
		rc = take_member(package, i, dir, options, err);
	return rc;
}

/* Check all experiments, or the one that is named inside. */
static int check_all(struct package *package, const struct scratch *place,
		     const char *inside, const struct expt_archive_options *options,
		     struct expt_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < package_count(package); i++) {
		const char *name = package_members(package)
					   ->items[package_experiment(package, i)]
					   .name;
		cleanup_free char *path = path_join(place->path, *inside ? inside : name);
		int one;

		if (!path)
			return expt_fail(err, -ENOMEM, "cannot check '%s'", name);
		one = archive_once(path, -1, options, err);
		rc = one == EXPT_ARCHIVE_COMPLETE ? rc : one;
		if (*inside)
			break;
	}
	return rc;
}

int archive_check_bundle(const char *path, const struct expt_archive_options *options,
			 struct expt_error *err)
{
	cleanup_scratch struct scratch place = SCRATCH_INIT;
	const struct expt_import_options reading = { .operation.stop =
							     options->operation.stop };
	struct package *package;
	const char *inside;
	int rc = package_open(&package, path, &inside, &reading, err);

	if (rc < 0)
		return rc;
	rc = scratch_open(&place, err);
	if (rc == 0)
		rc = take_all(package, place.dir, options, err);
	if (rc == 0)
		rc = check_all(package, &place, inside, options, err);
	package_close(package);
	return rc;
}
