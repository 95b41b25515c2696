/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the files that an experiment names, and those of the experiment. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/search.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/handle.h"

/* ---- files ---- */

int archive_open_path(const struct archiver *archiver, struct archive_source *source,
		      const char *path, enum origin_links links)
{
	int fd = origin_open(&source->origin, &source->status,
			     archiver->to.access.origins, path, links);

	if (fd < 0)
		return fd;
	source->fd = fd;
	source->real_path = path;
	return 0;
}

static bool is_absent(int rc)
{
	return rc == -ENOENT || rc == -ENOTDIR;
}

int archive_open_found(struct archiver *archiver, struct archive_source *source,
		       const char *path, enum origin_links links)
{
	struct archive_search search = { .search = &archiver->asked.options->search,
					 .path = path };
	int rc = archive_open_path(archiver, source, path, links);
	char place[PATH_MAX];

	if (!is_absent(rc))
		return rc;
	while (archive_search_next(&search, place)) {
		if (archive_open_path(archiver, source, place, links) < 0)
			continue;
		source->real_path = arena_text(&archiver->strings, place, strlen(place));
		return source->real_path ? 0 : -ENOMEM;
	}
	return rc;
}

void archive_judge(const struct archiver *archiver, struct archive_source *source)
{
	origin_of(&source->origin, archiver->to.access.origins, source->fd);
}

enum manifest_state archive_why_unopened(const struct archiver *archiver, int rc,
					 const char **reason)
{
	*reason = is_absent(rc) ? "" : strerrordesc_np(-rc);
	if (rc == -EACCES && archiver->to.access.owner != ACCESS_OURS)
		*reason = "the owner of the experiment cannot read it";
	if (rc != -EINVAL && rc != -ELOOP)
		return is_absent(rc) ? MANIFEST_MISSING : MANIFEST_UNREADABLE;
	*reason = "not a regular file";
	return MANIFEST_REFUSED;
}

/* ---- the experiment ---- */

/* The files belong to the user to whom archives/ belongs. */
int archive_open_stored(struct stat *status, const struct archiver *archiver,
			int archives, const char *name)
{
	cleanup_access const struct access *acting =
		access_for_writing(&archiver->to.access);

	return store_open_file(status, archives, name);
}

int archive_read_manifest(struct archiver *archiver)
{
	cleanup_access const struct access *acting =
		access_for_writing(&archiver->to.access);

	if (archiver->to.archives < 0)
		return 0;
	return manifest_read(&archiver->known.manifest,
			     &(struct folder){ .dir = archiver->to.archives });
}

int archive_open_member(struct expt **out, const struct archiver *archiver, size_t member,
			struct expt_error *err)
{
	const char *name = archiver->known.members.items[member].name;
	char path[PATH_MAX];
	cleanup_fd int dir = io_open_beneath(archiver->known.founder, *name ? name : ".",
					     O_RDONLY | O_DIRECTORY, 0);

	archive_member_path(path, archiver, member);
	return dir < 0 ? expt_fail(err, dir, "cannot open '%s'", path)
		       : expt_open_directory(out, dir, path, err);
}
