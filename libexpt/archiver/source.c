/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the file of one load object, at the recorded path, elsewhere, or as a copy in
 * archives/, and compares it with what was recorded. The names come from a map.xml that
 * may be malicious: only regular files are opened, and only programs and libraries are
 * taken.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/name.h"
#include "libexpt/archives/search.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/time.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"

#define DELETED_MARK " (deleted)"

static enum identity_match compare(const struct archive_object *object,
				   const struct archive_source *source, uint64_t unit_ns)
{
	const struct expt_identity found =
		identity_of(elf_build_id(source->elf), &source->status);

	return identity_compare(&object->identity, &found, unit_ns);
}

/* Core files and the like are ELF as well; /proc/kcore is one of 128 TiB. */
static int check_is_program(int fd, struct expt_error *err)
{
	unsigned char head[EI_NIDENT + 2] = { 0 };
	ssize_t got = io_pread_full(fd, head, sizeof(head), 0);
	unsigned type = head[EI_DATA] == ELFDATA2MSB ? head[16] << 8 | head[17]
						     : head[16] | head[17] << 8;

	if (got < 0)
		return expt_fail(err, (int)got, "cannot read it");
	if (memcmp(head, ELFMAG, SELFMAG) != 0 || (type != ET_EXEC && type != ET_DYN))
		return expt_refuse(err, -EBADMSG, "not an ELF program or library");
	return 0;
}

void archive_source_release(struct archive_source *source)
{
	elf_close(source->elf);
	if (source->fd >= 0)
		close(source->fd);
	*source = (struct archive_source)ARCHIVE_SOURCE_INIT;
}

/* Fill in the rest of a source whose descriptor and status are set. */
static int open_elf(struct archive_source *source, struct expt_error *err)
{
	int rc = check_is_program(source->fd, err), copy;

	if (rc < 0)
		return rc;
	copy = fcntl(source->fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0)
		return expt_fail(err, -errno, "cannot open it");
	return elf_open(&source->elf, copy, err);
}

/* ---- the existing copy ---- */

bool archive_open_copy(struct archive_source *source, const struct archiver *archiver,
		       int archives, const struct archive_object *object)
{
	char name[ARCHIVE_NAME_SIZE];

	expt_archive_name(name, archive_kept_path(object));
	source->fd = archive_open_stored(&source->status, archiver, archives, name);
	if (source->fd < 0 || open_elf(source, NULL) < 0) {
		archive_source_release(source);
		return false;
	}
	source->match = compare(object, source, NS_PER_SECOND);
	source->real_path = "";
	if (source->match == IDENTITY_DIFFERS) {
		archive_source_release(source);
		return false;
	}
	archive_judge(archiver, source);
	return true;
}

const struct manifest_entry *archive_find_entry(const struct archiver *archiver,
						const char *path)
{
	const struct manifest_entry *entry = manifest_find(&archiver->to.changes, path);

	return entry ? entry : manifest_find(&archiver->known.manifest, path);
}

static bool has_file(int archives, const char *name)
{
	struct stat status;

	return fstatat(archives, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(status.st_mode) && status.st_size > 0;
}

static bool has_description(int archives, const char *path)
{
	char name[ARCHIVE_NAME_SIZE];

	expt_archive_description_name(name, path);
	return has_file(archives, name);
}

bool archive_is_untouched(int archives, const struct manifest_entry *entry)
{
	char name[ARCHIVE_NAME_SIZE];
	struct stat status;

	expt_archive_name(name, entry->path);
	return store_stat(&status, archives, name) == 0 &&
	       (uint64_t)status.st_size == entry->size &&
	       timespec_ns(&status.st_mtim) == entry->mtime_ns;
}

bool archive_has_copy(const struct archiver *archiver, enum manifest_state state,
		      const char *path)
{
	const struct manifest_entry *known =
		manifest_find(&archiver->known.manifest, path);

	return known && known->state == state &&
	       archive_is_untouched(archiver->to.archives, known);
}

/* Returns true if all files that the mode includes are there, without opening them. */
bool archive_has_files(const struct archiver *archiver,
		       const struct archive_object *object,
		       const struct manifest_entry *entry)
{
	return manifest_is_archived(entry) &&
	       (!archive_wants_copy(archiver, object) ||
		archive_is_untouched(archiver->to.archives, entry)) &&
	       has_description(archiver->to.archives, entry->path);
}

/* ---- leaving out ---- */

/* A renewal keeps old files that are no longer available elsewhere. */
static bool is_kept(const struct archiver *archiver, const struct archive_object *object)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;

	if (archiver->to.previous < 0)
		return false;
	if (archive_open_copy(&source, archiver, archiver->to.previous, object))
		return true;
	return !archive_wants_copy(archiver, object) &&
	       has_description(archiver->to.previous, archive_kept_path(object));
}

/* The same verdict need not be written to the manifest again. */
static bool is_same_verdict(const struct manifest_entry *a,
			    const struct manifest_entry *b)
{
	return a->state == b->state && strcmp(a->reason, b->reason) == 0;
}

enum expt_outcome archive_outcome(enum manifest_state state)
{
	switch (state) {
	case MANIFEST_REFUSED:
		return EXPT_REFUSED;
	case MANIFEST_CHANGED:
		return EXPT_CHANGED;
	default:
		return EXPT_MISSING;
	}
}

/* A file that is gone, or was replaced, does not come back. An earlier run has reported
 * it as an error; this one does not expect it. */
bool archive_was_lost_before(const struct archiver *archiver,
			     const struct manifest_entry *entry)
{
	const struct manifest_entry *known =
		manifest_find(&archiver->known.manifest, entry->path);

	return !archiver->asked.options->check_only && known &&
	       is_same_verdict(known, entry) &&
	       (entry->state == MANIFEST_MISSING || entry->state == MANIFEST_CHANGED);
}

/* If memory runs out, the manifest merely lacks this line. */
int archive_leave_out(struct archiver *archiver, const struct archive_object *object,
		      enum manifest_state state, const struct archive_source *source,
		      const char *reason)
{
	const char *path = archive_kept_path(object);
	const struct manifest_entry *known = archive_find_entry(archiver, path);
	struct manifest_entry entry = {
		.state = state,
		.path = path,
		.real_path = "",
		.build_id = "",
		.reason = reason,
	};

	if (is_kept(archiver, object)) {
		archive_say(archiver, EXPT_NOTE, object->path,
			    "kept, because it cannot be archived again: %s",
			    *reason ? reason : "the file is missing");
		return 0;
	}
	archive_say(archiver,
		    archive_was_lost_before(archiver, &entry) ? EXPT_ABSENT
							      : archive_outcome(state),
		    object->path, "%s", reason);
	if (source && source->origin.readers == ORIGIN_EVERYONE)
		manifest_set_file(&entry, &source->status);
	if (known && (is_same_verdict(known, &entry) ||
		      archive_has_files(archiver, object, known)))
		return 0;
	manifest_put(&archiver->to.changes, &entry);
	return 0;
}

/* ---- the file at the recorded path ---- */

static int leave_unopened(struct archiver *archiver, const struct archive_object *object,
			  int rc)
{
	const char *reason;
	enum manifest_state state = archive_why_unopened(archiver, rc, &reason);

	return archive_leave_out(archiver, object, state, NULL, reason);
}

/* Returns 1 if the file is a program or library, or 0, which has been reported. */
static int check_program(struct archiver *archiver, struct archive_source *source,
			 const struct archive_object *object)
{
	const struct manifest_entry *entry =
		archive_find_entry(archiver, archive_kept_path(object));
	struct expt_error err;

	if (entry && entry->state == MANIFEST_REFUSED &&
	    manifest_is_same_file(entry, &source->status))
		return archive_leave_out(archiver, object, MANIFEST_REFUSED, source,
					 entry->reason);
	/* Record no file, so that the next run tries again: libelf does not distinguish
	 * failed reads from damage. */
	if (open_elf(source, &err) < 0)
		return archive_leave_out(archiver, object, MANIFEST_REFUSED, NULL,
					 err.message);
	return 1;
}

/* As check_program(), but as far as can be determined the file is also what was
 * recorded. */
static int check_identity(struct archiver *archiver, struct archive_source *source,
			  const struct archive_object *object)
{
	char reason[512] = "its size or modification time differs from the recorded one";
	const char *build_id;

	if (check_program(archiver, source, object) == 0)
		return 0;
	build_id = elf_build_id(source->elf);
	source->match = compare(object, source, 1);
	if (source->match == IDENTITY_SAME)
		return 1;
	if (source->match == IDENTITY_UNKNOWN) {
		int64_t started_at = archive_started_at(archiver, object->member);

		if (!started_at || source->status.st_mtim.tv_sec <= started_at)
			return 1;
		snprintf(reason, sizeof(reason), "modified after the start of the run");
	} else if (object->version) {
		snprintf(reason, sizeof(reason),
			 "another version of it is already archived");
	} else if (*object->identity.build_id) {
		snprintf(reason, sizeof(reason),
			 "its build-id is %s, but %s was recorded",
			 *build_id ? build_id : "missing", object->identity.build_id);
	}
	return archive_leave_out(archiver, object, MANIFEST_CHANGED, source, reason);
}

/* Other files that turn up there are not reported: they may be anything. */
static bool try_place(struct archiver *archiver, struct archive_source *source,
		      const struct archive_object *object, const char *place)
{
	int64_t started_at;

	if (archive_open_path(archiver, source, place, ORIGIN_REFUSE_LINK) < 0 ||
	    open_elf(source, NULL) < 0)
		return false;
	source->match = compare(object, source, 1);
	if (source->match == IDENTITY_UNKNOWN) {
		started_at = archive_started_at(archiver, object->member);
		if (started_at && source->status.st_mtim.tv_sec > started_at)
			return false;
	}
	source->real_path = arena_text(&archiver->strings, place, strlen(place));
	return source->match != IDENTITY_DIFFERS && source->real_path;
}

/* Try the places that .er.rc names. */
static bool open_elsewhere(struct archiver *archiver, struct archive_source *source,
			   const struct archive_object *object)
{
	struct archive_search search = { .search = &archiver->asked.options->search,
					 .path = object->path };
	char place[PATH_MAX];

	while (archive_search_next(&search, place)) {
		if (try_place(archiver, source, object, place))
			return true;
		archive_source_release(source);
	}
	return false;
}

/* The path is "path (deleted)". Another file may have it now, so only the recorded
 * identity counts. */
static int open_deleted(struct archiver *archiver, struct archive_source *source,
			const struct archive_object *object)
{
	size_t length = strlen(object->path), mark = strlen(DELETED_MARK);
	char *path;

	if (length <= mark || strcmp(object->path + length - mark, DELETED_MARK) != 0)
		return archive_leave_out(archiver, object, MANIFEST_MISSING, NULL, "");
	path = arena_text(&archiver->strings, object->path, length - mark);
	if (!path) {
		archive_say(archiver, EXPT_FAILED, object->path, "out of memory");
		return 0;
	}
	if ((!*object->identity.build_id && !object->identity.has_file) ||
	    archive_open_path(archiver, source, path, ORIGIN_REFUSE_LINK) < 0)
		return archive_leave_out(archiver, object, MANIFEST_MISSING, NULL,
					 "deleted before it was recorded");
	return check_identity(archiver, source, object);
}

int archive_open_recorded(struct archiver *archiver, struct archive_source *source,
			  const struct archive_object *object)
{
	int rc = archive_open_path(archiver, source, object->path, ORIGIN_REFUSE_LINK);

	if (rc == 0)
		return check_identity(archiver, source, object);
	if (rc != -ENOENT && rc != -ENOTDIR)
		return leave_unopened(archiver, object, rc);
	return open_elsewhere(archiver, source, object)
		       ? 1
		       : open_deleted(archiver, source, object);
}
