/* SPDX-License-Identifier: Apache-2.0 */
/* Archives one load object: finds, copies and describes its file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/archiver/private.h"
#include "libexpt/base/time.h"
#include "libexpt/common/error.h"

int archive_record(struct archiver *archiver, const struct archive_source *source,
		   const struct archive_object *object, bool is_copy, const char *hash,
		   struct expt_error *err)
{
	struct manifest_entry entry = {
		.path = object->path,
		.real_path = source->real_path,
		.build_id = elf_build_id(source->elf),
		.reason = "",
	};

	if (source->match == ARCHIVE_UNKNOWN)
		entry.state = MANIFEST_UNVERIFIED;
	else
		entry.state = is_copy ? MANIFEST_COPIED : MANIFEST_DESCRIBED;
	snprintf(entry.hash, sizeof(entry.hash), "%s", hash);
	manifest_set_file(&entry, &source->status);
	archiver->to.has_private |= source->origin.readers != ORIGIN_EVERYONE;
	if (manifest_put(&archiver->to.changes, &entry) < 0)
		return expt_fail(err, -ENOMEM, "cannot record '%s'", object->path);
	return 0;
}

static void say_done(struct archiver *archiver, enum expt_outcome outcome,
		     const struct archive_source *source,
		     const struct archive_object *object)
{
	archive_say(archiver, outcome, object->path, "%s",
		    source->match == ARCHIVE_UNKNOWN ? "unverified" : "");
}

static void say_taken(struct archiver *archiver, const struct archive_source *source,
		      const struct archive_object *object)
{
	enum expt_outcome outcome = EXPT_DESCRIBED;

	if (archive_wants_copy(archiver, object))
		outcome = archive_copied(archiver, source);
	say_done(archiver, outcome, source, object);
}

/* Take over a copy that the manifest does not list, such as gprofng's. */
static int adopt_copy(struct archiver *archiver, struct archive_source *source,
		      const struct archive_object *object, struct expt_error *err)
{
	char hash[HASH_TEXT_SIZE];
	int rc = archive_hash(hash, archiver, source->fd);

	if (rc < 0) {
		archive_say(archiver, EXPT_FAILED, object->path,
			    "cannot read its copy: %s", strerrordesc_np(-rc));
		return 0;
	}
	rc = archive_write_description(archiver, source, object, err);
	if (rc <= 0)
		return rc;
	say_done(archiver, EXPT_PRESENT, source, object);
	rc = archive_record(archiver, source, object, true, hash, err);
	return rc < 0 ? rc : archive_debug_files(archiver, source, object, err);
}

/* Returns true for a listed copy of which something was left out that may exist now. */
static bool is_unfinished(const struct archiver *archiver,
			  const struct archive_object *object,
			  const struct manifest_entry *entry)
{
	return manifest_is_archived(entry) && *entry->reason &&
	       archive_wants_copy(archiver, object);
}

static int finish_copy(struct archiver *archiver, const struct archive_source *source,
		       const struct archive_object *object,
		       const struct manifest_entry *known, struct expt_error *err)
{
	struct manifest_entry entry = *known;

	entry.reason = "";
	if (manifest_put(&archiver->to.changes, &entry) < 0)
		return expt_fail(err, -ENOMEM, "cannot record '%s'", object->path);
	archive_say(archiver, EXPT_PRESENT, object->path, "%s",
		    entry.state == MANIFEST_UNVERIFIED ? "unverified" : "");
	return archive_debug_files(archiver, source, object, err);
}

static int take_source(struct archiver *archiver, struct archive_source *source,
		       const struct archive_object *object, struct expt_error *err)
{
	bool is_copy = archive_wants_copy(archiver, object);
	char hash[HASH_TEXT_SIZE] = "";
	int rc = 1;

	if (is_copy)
		rc = archive_write_copy(archiver, source, object, hash, err);
	if (rc > 0)
		rc = archive_write_description(archiver, source, object, err);
	if (rc <= 0)
		return rc;
	say_taken(archiver, source, object);
	rc = archive_record(archiver, source, object, is_copy, hash, err);
	return rc < 0 ? rc : archive_debug_files(archiver, source, object, err);
}

/* archives/ has room for one version of a path. The others have lines of their own in the
 * manifest, so that each is reported as an error only once. */
static void leave_other_version(struct archiver *archiver,
				const struct archive_object *object)
{
	static const char reason[] = "another version of it is archived";
	char version[PATH_MAX + 64];
	struct manifest_entry entry = {
		.state = MANIFEST_CHANGED,
		.path = version,
		.real_path = "",
		.build_id = object->build_id,
		.reason = reason,
	};

	if (*object->build_id)
		snprintf(version, sizeof(version), "%s@%.40s", object->path,
			 object->build_id);
	else
		snprintf(version, sizeof(version), "%s@%" PRIu64 "-%" PRIu64,
			 object->path, object->size, object->mtime_ns);
	if (archive_was_lost_before(archiver, &entry)) {
		archive_say(archiver, EXPT_ABSENT, object->path, "%s", reason);
		return;
	}
	archive_say(archiver, EXPT_CHANGED, object->path, "%s", reason);
	manifest_put(&archiver->to.changes, &entry);
}

bool archive_is_settled(struct archiver *archiver, const struct archive_object *object)
{
	const struct manifest_entry *entry = archive_find_entry(archiver, object->path);

	if (object->problem || !entry || !archive_has_files(archiver, object, entry) ||
	    is_unfinished(archiver, object, entry))
		return false;
	if (archive_compare(object, entry->build_id, entry->size, entry->mtime_ns,
			    NS_PER_SECOND) != ARCHIVE_DIFFERS)
		archive_say(archiver, EXPT_PRESENT, object->path, "%s",
			    entry->state == MANIFEST_UNVERIFIED ? "unverified" : "");
	else if (entry->state != MANIFEST_UNVERIFIED)
		leave_other_version(archiver, object);
	else
		return false;
	return true;
}

int archive_store(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	const struct manifest_entry *known = archive_find_entry(archiver, object->path);

	if (object->problem)
		return archive_leave_out(archiver, object, MANIFEST_REFUSED, NULL,
					 object->problem);
	if (archive_open_copy(&source, archiver, archiver->to.archives, object))
		return known && archive_has_files(archiver, object, known) &&
				       is_unfinished(archiver, object, known)
			       ? finish_copy(archiver, &source, object, known, err)
			       : adopt_copy(archiver, &source, object, err);
	if (archive_open_recorded(archiver, &source, object) == 0)
		return 0;
	return take_source(archiver, &source, object, err);
}

int archive_plan(struct archiver *archiver, const struct archive_object *object)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;

	if (object->problem)
		return archive_leave_out(archiver, object, MANIFEST_REFUSED, NULL,
					 object->problem);
	if (archive_open_copy(&source, archiver, archiver->to.archives, object))
		say_done(archiver, EXPT_PRESENT, &source, object);
	else if (archive_open_recorded(archiver, &source, object) > 0)
		say_taken(archiver, &source, object);
	return source.elf ? archive_debug_files(archiver, &source, object, NULL) : 0;
}

int archive_open_missing(struct archiver *archiver, const struct archive_object *object,
			 struct archive_source *source)
{
	if (object->problem)
		return archive_leave_out(archiver, object, MANIFEST_REFUSED, NULL,
					 object->problem);
	if (archive_is_settled(archiver, object))
		return 0;
	if (archive_open_copy(source, archiver, archiver->to.archives, object))
		return 0;
	return archive_open_recorded(archiver, source, object);
}
