/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The separate debug files of a load object, copied where the object is. Whoever reads the experiment
 * elsewhere looks for them under the names that files of their paths have in archives/.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/archive.h"
#include "libexpt/archive_name.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/debug_file.h"
#include "libexpt/error.h"
#include "libexpt/store.h"

/* ---- storing ---- */

static int record(struct archiver *archiver, const struct debug_file *file,
		  const struct archive_object *object, const char *hash,
		  struct expt_error *err)
{
	struct manifest_entry entry = {
		.state = MANIFEST_DEBUG,
		.path = file->path,
		.real_path = file->is_archived ? "" : file->path,
		.build_id = elf_build_id(file->elf),
		.reason = object->path,
	};

	snprintf(entry.hash, sizeof entry.hash, "%s", hash);
	manifest_set_file(&entry, &file->status);
	if (manifest_put(&archiver->changes, &entry) < 0)
		return expt_fail(err, -ENOMEM, "cannot record '%s'", file->path);
	return 0;
}

/* One that is there, from an earlier run, from another object, or by gprofng. */
static int keep(struct archiver *archiver, const struct debug_file *file,
		const struct archive_object *object, struct expt_error *err)
{
	const struct manifest_entry *known = manifest_find(&archiver->known, file->path);
	char hash[HASH_TEXT_SIZE];
	int rc = 0;

	archive_say(archiver, EXPT_PRESENT, file->path, "%s", "");
	if (known && known->state == MANIFEST_DEBUG &&
	    archive_is_untouched(archiver->archives, known))
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
	const struct archive_object own = { .path = file->path, .build_id = "" };
	const struct archive_source source = {
		.fd = file->fd,
		.status = file->status,
		.elf = file->elf,
		.real_path = file->path,
		.match = ARCHIVE_SAME,
	};
	enum expt_outcome outcome = archiver->options->store ? EXPT_LINKED : EXPT_COPIED;
	char hash[HASH_TEXT_SIZE];
	int rc = 1;

	if (!archiver->options->dry_run)
		rc = archive_write_copy(archiver, &source, &own, hash, err);
	if (rc <= 0)
		return rc;
	archive_say(archiver, outcome, file->path, "%s", "");
	if (archiver->options->dry_run)
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
				   &(struct folder){ .dir = archiver->archives }))
		return take(archiver, &file, object, err);
	if (*file.other)
		archive_say(archiver, EXPT_NOTE, object->path,
			    "'%s' is not of its build, and left out", file.other);
	return 0;
}

int archive_debug_files(struct archiver *archiver, const struct archive_source *source,
			const struct archive_object *object, struct expt_error *err)
{
	cleanup_debug_file struct debug_file file = DEBUG_FILE_INIT;
	int rc = 0;

	if (!archive_wants_copy(archiver, object))
		return 0;
	if (debug_file_find(&file, source->elf, object->path,
			    &(struct folder){ .dir = archiver->archives }))
		rc = take(archiver, &file, object, err);
	else if (*file.other)
		archive_say(archiver, EXPT_NOTE, object->path,
			    "its debug file '%s' is of another build, and left out",
			    file.other);
	if (rc == 0)
		rc = take_common(archiver, source->elf, object->path, object, err);
	if (rc == 0 && file.elf)
		rc = take_common(archiver, file.elf, file.path, object, err);
	return rc;
}

/* ---- looking ---- */

void archive_lost_debug_files(struct idmap *objects, const struct archiver *archiver)
{
	for (size_t i = 0; i < archiver->known.count; i++) {
		const struct manifest_entry *entry = &archiver->known.items[i];

		if (entry->state == MANIFEST_DEBUG &&
		    !archive_is_untouched(archiver->archives, entry))
			archive_mark(objects, entry->reason);
	}
}

void archive_present_debug_files(struct archiver *archiver, const struct idmap *unsettled)
{
	for (size_t i = 0; i < archiver->known.count; i++) {
		const struct manifest_entry *entry = &archiver->known.items[i];
		uint64_t key = idmap_text_key(IDMAP_KEY, entry->reason);

		if (entry->state == MANIFEST_DEBUG &&
		    idmap_find(&archiver->path_index, key) != IDMAP_NONE &&
		    idmap_find(unsettled, key) == IDMAP_NONE)
			archive_say(archiver, EXPT_PRESENT, entry->path, "%s", "");
	}
}

static void check_debug_file(struct archiver *archiver, const struct manifest_entry *entry)
{
	struct archive_finding finding = { .outcome = EXPT_PRESENT };
	char name[ARCHIVE_NAME_SIZE];
	cleanup_fd int fd = -1;
	struct stat status;

	expt_archive_name(name, entry->path);
	fd = store_open_file(&status, archiver->archives, name);
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
	for (size_t i = 0; i < archiver->known.count; i++) {
		const struct manifest_entry *entry = &archiver->known.items[i];

		/* Of the experiments that were named. */
		if (entry->state == MANIFEST_DEBUG &&
		    idmap_find(&archiver->path_index,
			       idmap_text_key(IDMAP_KEY, entry->reason)) != IDMAP_NONE)
			check_debug_file(archiver, entry);
	}
}
