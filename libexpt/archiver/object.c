/* SPDX-License-Identifier: Apache-2.0 */
/* Archives one load object: finds, copies and describes its file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/name.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/base/time.h"
#include "libexpt/common/error.h"

int archive_record(struct archiver *archiver, const struct archive_source *source,
		   const struct archive_object *object, bool is_copy, const char *hash,
		   struct expt_error *err)
{
	struct manifest_entry entry = {
		.path = archive_kept_path(object),
		.real_path = source->real_path,
		.build_id = elf_build_id(source->elf),
		.reason = "",
	};

	if (source->match == IDENTITY_UNKNOWN)
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
		    source->match == IDENTITY_UNKNOWN ? "unverified" : "");
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

static bool differs(const struct archive_object *object,
		    const struct expt_identity *archived)
{
	return identity_compare(&object->identity, archived, NS_PER_SECOND) ==
	       IDENTITY_DIFFERS;
}

static bool differs_from(const struct archive_object *object,
			 const struct manifest_entry *entry)
{
	return differs(object, &(struct expt_identity){
				       .build_id = entry->build_id,
				       .size = entry->size,
				       .mtime_ns = entry->mtime_ns,
			       });
}

/* If a copy was requested but could not be made, the manifest no longer lists the
 * description. */
static bool is_other_described(int archives, const struct archive_object *object)
{
	struct elf_note note;
	char name[ARCHIVE_NAME_SIZE];
	struct elf *elf;
	bool is_other;

	expt_archive_description_name(name, object->path);
	if (archives < 0 || elf_open(&elf, io_open_regular(archives, name), NULL) < 0)
		return false;
	is_other = elf_described(elf, &note) && differs(object, &note.identity);
	elf_close(elf);
	return is_other;
}

/* Returns true if another object has the path in archives/, or in those that are being
 * replaced. */
static bool is_other_archived(const struct archiver *archiver,
			      const struct archive_object *object)
{
	const struct manifest_entry *first = archive_find_entry(archiver, object->path);

	if (!first)
		first = manifest_find(&archiver->known.former, object->path);
	if (first && manifest_is_archived(first))
		return first->state != MANIFEST_UNVERIFIED && differs_from(object, first);
	return (first || object->is_repeat) &&
	       (is_other_described(archiver->to.archives, object) ||
		is_other_described(archiver->to.previous, object));
}

int archive_choose_version(struct archiver *archiver, struct archive_object *object)
{
	cleanup_strbuf struct strbuf version = STRBUF_INIT;

	if (object->version || object->problem || !is_other_archived(archiver, object))
		return 0;
	archive_version_path(&version, object->path, object->identity.build_id,
			     object->identity.size, object->identity.mtime_ns);
	if (version.failed)
		return -ENOMEM;
	object->version =
		arena_text(&archiver->strings, strbuf_text(&version), version.length);
	return object->version ? 0 : -ENOMEM;
}

bool archive_is_settled(struct archiver *archiver, const struct archive_object *object)
{
	const struct manifest_entry *entry =
		archive_find_entry(archiver, archive_kept_path(object));

	if (object->problem || !entry || !archive_has_files(archiver, object, entry) ||
	    is_unfinished(archiver, object, entry))
		return false;
	if (differs_from(object, entry))
		return false;
	archive_say(archiver, EXPT_PRESENT, object->path, "%s",
		    entry->state == MANIFEST_UNVERIFIED ? "unverified" : "");
	return true;
}

int archive_store(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	const struct manifest_entry *known =
		archive_find_entry(archiver, archive_kept_path(object));

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

int archive_plan(struct archiver *archiver, const struct archive_object *object,
		 struct expt_error *err)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;

	if (object->problem)
		return archive_leave_out(archiver, object, MANIFEST_REFUSED, NULL,
					 object->problem);
	if (archive_open_copy(&source, archiver, archiver->to.archives, object))
		say_done(archiver, EXPT_PRESENT, &source, object);
	else if (archive_open_recorded(archiver, &source, object) > 0)
		say_taken(archiver, &source, object);
	return source.elf ? archive_debug_files(archiver, &source, object, err) : 0;
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
