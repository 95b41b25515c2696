/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies the separate debug files of a load object, and those of its split units, into
 * archives/ as well. Readers of the experiment on another machine look for them under
 * the names that files of their paths have there.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/debug_file.h"
#include "libexpt/archives/name.h"
#include "libexpt/archives/search.h"
#include "libexpt/archives/store.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"

/* ---- storing ---- */

static int record(struct archiver *archiver, const struct debug_file *file,
		  const struct archive_object *object, const char *hash,
		  struct expt_error *err)
{
	struct manifest_entry entry = {
		.state = MANIFEST_DEBUG,
		.path = file->path,
		.real_path = file->is_archived ? "" : file->found_at,
		.build_id = elf_build_id(file->elf),
		.reason = object->path,
	};

	snprintf(entry.hash, sizeof(entry.hash), "%s", hash);
	manifest_set_file(&entry, &file->status);
	archiver->to.has_private |= file->origin.readers != ORIGIN_EVERYONE;
	if (manifest_put(&archiver->to.changes, &entry) < 0)
		return expt_fail(err, -ENOMEM, "cannot record '%s'", file->path);
	return 0;
}

/* Keep a debug file that is archived already, by an earlier run, for another object, or
 * by gprofng. */
static int keep(struct archiver *archiver, const struct debug_file *file,
		const struct archive_object *object, struct expt_error *err)
{
	char hash[HASH_TEXT_SIZE];
	int rc = 0;

	archive_say(archiver, EXPT_PRESENT, file->path, "%s", "");
	if (archive_has_copy(archiver, MANIFEST_DEBUG, file->path))
		return 0;
	rc = archive_hash(hash, archiver, file->fd);
	if (rc == 0)
		return record(archiver, file, object, hash, err);
	archive_say(archiver, EXPT_FAILED, file->path, "cannot read its copy: %s",
		    strerrordesc_np(-rc));
	return 0;
}

static int copy(struct archiver *archiver, const struct debug_file *file,
		const struct archive_object *object, struct expt_error *err)
{
	const struct archive_object own = { .path = file->path, .identity.build_id = "" };
	const struct archive_source source = {
		.fd = file->fd,
		.status = file->status,
		.origin = file->origin,
		.elf = file->elf,
		.real_path = file->found_at,
		.match = IDENTITY_SAME,
	};
	char hash[HASH_TEXT_SIZE];
	int rc = 1;

	/* debug_file_find() has seen that the copy is not this file. */
	if (object->version && archive_has_copy(archiver, MANIFEST_DEBUG, file->path)) {
		archive_say(archiver, EXPT_NOTE, file->path,
			    "skipped: that of another version is archived");
		return 0;
	}
	if (!archiver->asked.options->operation.dry_run)
		rc = archive_write_copy(archiver, &source, &own, hash, err);
	if (rc <= 0)
		return rc;
	archive_say(archiver, archive_copied(archiver, &source), file->path, "%s", "");
	if (archiver->asked.options->operation.dry_run)
		return 0;
	return record(archiver, file, object, hash, err);
}

static int take(struct archiver *archiver, const struct debug_file *file,
		const struct archive_object *object, struct expt_error *err)
{
	if (file->is_archived)
		return keep(archiver, file, object, err);
	return copy(archiver, file, object, err);
}

static int take_common(struct archiver *archiver, const struct elf *elf, const char *path,
		       const struct archive_object *object, struct expt_error *err)
{
	cleanup_debug_file struct debug_file file;

	if (debug_file_find_common(&file, elf, path,
				   &(struct folder){ .dir = archiver->to.archives },
				   archiver->to.access.origins))
		return take(archiver, &file, object, err);
	if (*file.other)
		archive_say(archiver, EXPT_NOTE, object->path,
			    "skipped '%s': it is from another build", file.other);
	return 0;
}

/* ---- split units ---- */

/* Counts of the files of split units, and an example of each fault. */
struct split_count {
	size_t files, missing, other;
	const char *missing_one;
	char other_one[PATH_MAX];
};

/* Look at the path of the unit, then in the places that .er.rc names. */
static bool find_split(struct debug_file *file, const struct archiver *archiver,
		       const struct split_unit *unit)
{
	const struct folder archives = { .dir = archiver->to.archives };
	struct archive_search search = { .search = &archiver->asked.options->search,
					 .path = unit->path };
	char place[PATH_MAX];
	bool is_found = debug_file_find_split(file, unit, unit->path, &archives,
					      archiver->to.access.origins);

	while (!is_found && archive_search_next(&search, place))
		is_found = debug_file_find_split(file, unit, place, NULL,
						 archiver->to.access.origins);
	return is_found;
}

static int take_split(struct split_count *count, struct archiver *archiver,
		      const struct split_unit *unit, const struct archive_object *object,
		      struct expt_error *err)
{
	cleanup_debug_file struct debug_file file = DEBUG_FILE_INIT;

	count->files++;
	if (find_split(&file, archiver, unit))
		return take(archiver, &file, object, err);
	if (*file.other) {
		count->other++;
		memcpy(count->other_one, file.other, PATH_MAX);
	} else {
		count->missing++;
		count->missing_one = unit->path;
	}
	return 0;
}

static void say_left_out(struct archiver *archiver, const struct split_count *count,
			 const struct archive_object *object)
{
	if (count->other > 0)
		archive_say(archiver, EXPT_NOTE, object->path,
			    "skipped %zu of %zu split debug files from another build, "
			    "such as '%s'",
			    count->other, count->files, count->other_one);
	if (count->missing > 0)
		archive_say(archiver, EXPT_NOTE, object->path,
			    "%zu of %zu split debug files are missing, such as '%s'",
			    count->missing, count->files, count->missing_one);
}

/* Note it in the manifest, so that the next run tries again, if the object was archived
 * in this run. */
static int note_left_out(struct archiver *archiver, const struct archive_object *object)
{
	const struct manifest_entry *listed =
		manifest_find(&archiver->to.changes, archive_kept_path(object));
	struct manifest_entry entry;

	if (!listed || !manifest_is_archived(listed))
		return 0;
	entry = *listed;
	entry.reason = "skipped its split debug data";
	return manifest_put(&archiver->to.changes, &entry);
}

/* Take each file once, but not those of units that the package contains. */
static int take_files(struct archiver *archiver, const struct split_units *units,
		      const struct split_numbers *packed,
		      const struct archive_object *object, struct expt_error *err)
{
	struct split_count count = { .files = 0 };
	struct idmap taken = { .slots = NULL };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < units->count; i++) {
		const struct split_unit *unit = &units->items[i];
		uint64_t key = idmap_text_key(IDMAP_KEY, unit->path);

		if (split_numbers_have(packed, unit->number) ||
		    idmap_find(&taken, key) != IDMAP_NONE)
			continue;
		archive_mark(&taken, unit->path);
		rc = take_split(&count, archiver, unit, object, err);
	}
	idmap_release(&taken);
	if (rc < 0 || count.other + count.missing == 0)
		return rc;
	say_left_out(archiver, &count, object);
	rc = note_left_out(archiver, object);
	return rc < 0 ? expt_fail(err, rc, "cannot record '%s'", object->path) : 0;
}

static int take_units(struct archiver *archiver, const struct split_units *units,
		      const char *path, const struct archive_object *object,
		      struct expt_error *err)
{
	const struct folder archives = { .dir = archiver->to.archives };
	cleanup_debug_file struct debug_file package = DEBUG_FILE_INIT;
	struct split_numbers packed = { .items = NULL };
	int rc = 0;

	if (debug_file_find_package(&package, &packed, path, units, &archives,
				    archiver->to.access.origins))
		rc = take(archiver, &package, object, err);
	else if (*package.other)
		archive_say(archiver, EXPT_NOTE, object->path,
			    "skipped '%s': it is from another build", package.other);
	if (rc == 0)
		rc = take_files(archiver, units, &packed, object, err);
	array_release(&packed);
	return rc;
}

/* The skeleton units are in the object, or in its debug file. */
static int take_split_units(struct archiver *archiver, const struct elf *elf,
			    const char *path, const struct archive_object *object,
			    struct expt_error *err)
{
	struct split_units units = { .items = NULL };
	struct expt_error why;
	int rc = elf_split_units(&units, elf, &why);

	if (rc == -EBADMSG)
		archive_say(archiver, EXPT_NOTE, object->path,
			    "cannot list all of its split debug files: %s", why.message);
	rc = rc == -ENOMEM ? expt_refuse(err, rc, "%s", why.message)
			   : take_units(archiver, &units, path, object, err);
	split_units_release(&units);
	return rc;
}

/* ---- all of an object ---- */

int archive_debug_files(struct archiver *archiver, const struct archive_source *source,
			const struct archive_object *object, struct expt_error *err)
{
	cleanup_debug_file struct debug_file file = DEBUG_FILE_INIT;
	int rc = 0;

	if (!archive_wants_copy(archiver, object))
		return 0;
	if (debug_file_find(&file, source->elf, object->path,
			    &(struct folder){ .dir = archiver->to.archives },
			    archiver->to.access.origins))
		rc = take(archiver, &file, object, err);
	else if (*file.other)
		archive_say(archiver, EXPT_NOTE, object->path,
			    "skipped its debug file '%s': it is from another build",
			    file.other);
	if (rc == 0)
		rc = take_common(archiver, source->elf, object->path, object, err);
	if (rc == 0 && file.elf)
		rc = take_common(archiver, file.elf, file.path, object, err);
	if (rc == 0)
		rc = take_split_units(archiver, source->elf, object->path, object, err);
	if (rc == 0 && file.elf)
		rc = take_split_units(archiver, file.elf, file.path, object, err);
	return rc;
}

/* ---- checking ---- */

void archive_lost_debug_files(struct idmap *objects, const struct archiver *archiver)
{
	for (size_t i = 0; i < archiver->known.manifest.count; i++) {
		const struct manifest_entry *entry = &archiver->known.manifest.items[i];

		if (entry->state == MANIFEST_DEBUG &&
		    !archive_is_untouched(archiver->to.archives, entry))
			archive_mark(objects, entry->reason);
	}
}

void archive_present_debug_files(struct archiver *archiver, const struct idmap *unsettled)
{
	for (size_t i = 0; i < archiver->known.manifest.count; i++) {
		const struct manifest_entry *entry = &archiver->known.manifest.items[i];
		uint64_t key = idmap_text_key(IDMAP_KEY, entry->reason);

		if (entry->state == MANIFEST_DEBUG &&
		    idmap_find(&archiver->known.path_index, key) != IDMAP_NONE &&
		    idmap_find(unsettled, key) == IDMAP_NONE)
			archive_say(archiver, EXPT_PRESENT, entry->path, "%s", "");
	}
}

void archive_check_line(struct archiver *archiver, const struct manifest_entry *entry)
{
	struct archive_finding finding = { .outcome = EXPT_PRESENT };
	char name[ARCHIVE_NAME_SIZE];
	cleanup_fd int fd = -1;
	struct stat status;

	expt_archive_name(name, entry->path);
	fd = archive_open_stored(&status, archiver, archiver->to.archives, name);
	if (fd < 0) {
		archive_say(archiver, EXPT_MISSING, entry->path,
			    "cannot open its copy: %s", strerrordesc_np(-fd));
		return;
	}
	archive_check_bytes(&finding, archiver, fd, "", entry);
	archive_say(archiver, finding.reason ? finding.outcome : EXPT_PRESENT,
		    entry->path, "%s", finding.reason ? finding.reason : "");
}

void archive_check_debug_files(struct archiver *archiver)
{
	for (size_t i = 0; i < archiver->known.manifest.count; i++) {
		const struct manifest_entry *entry = &archiver->known.manifest.items[i];

		/* Only for objects of the experiments that were named. */
		if (entry->state == MANIFEST_DEBUG &&
		    idmap_find(&archiver->known.path_index,
			       idmap_text_key(IDMAP_KEY, entry->reason)) != IDMAP_NONE)
			archive_check_line(archiver, entry);
	}
}
