/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/export/objects.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libexpt/archiver/gather.h"
#include "libexpt/archives/name.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/elf/elf.h"
#include "libexpt/format.h"

void export_objects_close(struct export_objects *objects)
{
	if (!objects)
		return;
	archive_release(&objects->archiver);
	expt_report_free(objects->options.operation.report);
	free(objects->archiver.buffer);
	array_release(&objects->taken);
	free(objects);
}

static void name_members(struct export_object *taken, const struct archiver *archiver)
{
	char name[ARCHIVE_NAME_SIZE];
	size_t room = sizeof(taken->copy_name);

	if (archive_wants_copy(archiver, taken->object)) {
		expt_archive_name(name, archive_kept_path(taken->object));
		snprintf(taken->copy_name, room, "%s/%s", ARCHIVES_DIR, name);
	}
	expt_archive_description_name(name, archive_kept_path(taken->object));
	snprintf(taken->description_name, room, "%s/%s", ARCHIVES_DIR, name);
}

static bool is_taken(const struct export_objects *objects, const char *path)
{
	for (size_t i = 0; i < objects->taken.count; i++)
		if (strcmp(objects->taken.items[i].object->path, path) == 0)
			return true;
	return false;
}

/* Take the debug files of an object that the archives lack. */
static int look_beside(struct export_objects *objects,
		       const struct archive_source *source,
		       const struct archive_object *object)
{
	struct expt_error err;

	return source->elf ? archive_debug_files(&objects->archiver, source, object, &err)
			   : 0;
}

static int look_at(struct export_objects *objects, struct archive_object *object)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	struct export_object *taken;
	int rc = archive_choose_version(&objects->archiver, object);

	if (rc < 0)
		return rc;
	if (archive_open_missing(&objects->archiver, object, &source) == 0)
		return look_beside(objects, &source, object);
	taken = array_add(&objects->taken);
	if (!taken)
		return -ENOMEM;
	*taken = (struct export_object){
		.object = object,
		.real_path = source.real_path,
		.status = source.status,
		.origin = source.origin,
	};
	name_members(taken, &objects->archiver);
	rc = archive_record(&objects->archiver, &source, object, false, "", NULL);
	return rc < 0 ? rc : look_beside(objects, &source, object);
}

static bool has_copy(const struct archiver *archiver, const char *path)
{
	char name[ARCHIVE_NAME_SIZE];

	expt_archive_name(name, path);
	return archiver->to.archives >= 0 &&
	       faccessat(archiver->to.archives, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static struct archive_object *make_object(struct archiver *archiver, const char *path)
{
	struct archive_object *object = arena_alloc(&archiver->strings, sizeof(*object));

	if (!object)
		return NULL;
	object->identity.build_id = "";
	object->path = arena_text(&archiver->strings, path, strlen(path));
	return object->path ? object : NULL;
}

/* Take a file that is only copied, not described. */
static int take_copy(struct export_objects *objects, const struct archive_source *source,
		     const char *path, const char *real_path)
{
	struct archiver *archiver = &objects->archiver;
	const struct archive_object *object = make_object(archiver, path);
	struct export_object *taken = object ? array_add(&objects->taken) : NULL;
	char name[ARCHIVE_NAME_SIZE];

	if (!taken)
		return -ENOMEM;
	*taken = (struct export_object){
		.object = object,
		.status = source->status,
		.origin = source->origin,
	};
	taken->real_path = arena_text(&archiver->strings, real_path, strlen(real_path));
	expt_archive_name(name, path);
	snprintf(taken->copy_name, sizeof(taken->copy_name), "%s/%s", ARCHIVES_DIR, name);
	return taken->real_path ? 0 : -ENOMEM;
}

/* Take debug files, which several objects may share or link to, jars, and names of
 * code. */
static int gather(struct archiver *archiver, const struct archive_source *source,
		  const char *path)
{
	struct export_objects *objects = (struct export_objects *)archiver;

	return is_taken(objects, path)
		       ? 0
		       : take_copy(objects, source, path, source->real_path);
}

static int take_code(struct export_objects *objects, const struct archive_code *code,
		     const struct archive_source *source)
{
	int rc = take_copy(objects, source, code->path, source->real_path);

	return rc < 0 ? rc
		      : archive_record_plain(&objects->archiver, MANIFEST_SOURCE,
					     code->path, source, "", NULL);
}

static int look_at_codes(struct export_objects *objects)
{
	struct archiver *archiver = &objects->archiver;
	struct archive_codes codes = { .items = NULL };
	int rc = archive_list_codes(&codes, archiver, NULL);

	for (size_t i = 0; rc == 0 && i < codes.count; i++) {
		cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
		struct archive_code *code = &codes.items[i];

		if (!has_copy(archiver, code->path) &&
		    archive_open_code(archiver, code, &source) > 0)
			rc = take_code(objects, code, &source);
	}
	archive_codes_release(&codes);
	return rc;
}

/* Only problems are reported: a line for each good object would be too much. */
static void pass_on(struct expt_report *to, const struct expt_report *from)
{
	for (size_t i = 0; i < expt_report_count(from); i++) {
		const struct expt_report_line *line = expt_report_line(from, i);

		if (line->outcome >= EXPT_NOTE)
			expt_report_add(to, line->outcome, line->name, "%s",
					line->reason);
	}
}

static int look_at_all(struct export_objects *objects, const char *path, int archives,
		       struct expt_error *err)
{
	struct archiver *archiver = &objects->archiver;
	int rc = archive_open(archiver, path, err);

	if (rc == 0)
		rc = archive_list(archiver, err);
	if (rc == 0 && archive_needs_used(objects->options.mode))
		rc = archive_find_used(archiver, err);
	if (rc < 0)
		return rc;
	if (archives >= 0) {
		archiver->to.archives = fcntl(archives, F_DUPFD_CLOEXEC, 0);
		rc = archiver->to.archives < 0 ? -errno : archive_read_manifest(archiver);
	}
	for (size_t i = 0; rc == 0 && i < archiver->known.objects.count; i++)
		rc = look_at(objects, &archiver->known.objects.items[i]);
	if (rc == 0)
		rc = archive_jit(archiver, err);
	if (rc == 0 && archive_parts(objects->options.mode)->copies != ARCHIVE_NONE)
		rc = archive_jars(archiver, err);
	if (rc == 0 && archive_parts(objects->options.mode)->sources != ARCHIVE_NONE)
		rc = look_at_codes(objects);
	return rc < 0 ? expt_fail(err, rc, "cannot find the load objects of '%s'", path)
		      : 0;
}

int export_objects_open(struct export_objects **out, const char *path, int archives,
			const struct expt_export_options *options, struct expt_error *err)
{
	struct export_objects *objects = calloc(1, sizeof(*objects));
	int rc;

	if (!objects)
		return expt_fail(err, -ENOMEM, "cannot export '%s'", path);
	objects->options.mode = options->mode;
	objects->options.check_only = true;
	objects->options.is_founder_only = options->without_descendants;
	objects->options.operation.report = expt_report_new();
	objects->archiver = (struct archiver){
		.asked.options = &objects->options,
		.known.path = path,
		.known.founder = -1,
		.to.archives = -1,
		.to.copy = -1,
		.to.previous = -1,
		.to.store = STORE_INIT,
		.buffer = io_buffer(ARCHIVE_BUFFER),
		.to.gather = gather,
	};
	rc = objects->options.operation.report && objects->archiver.buffer
		     ? look_at_all(objects, path, archives, err)
		     : expt_fail(err, -ENOMEM, "cannot export '%s'", path);
	access_as_ourselves(&objects->archiver.to.access);
	if (rc < 0) {
		export_objects_close(objects);
		return rc;
	}
	pass_on(options->operation.report, objects->options.operation.report);
	*out = objects;
	return 0;
}

static int reopen(const struct export_objects *objects, const struct export_object *taken)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	struct manifest_entry judged = { 0 };
	int rc = archive_open_path(&objects->archiver, &source, taken->real_path,
				   ORIGIN_FOLLOW_LINK);

	if (rc < 0)
		return rc;
	manifest_set_file(&judged, &taken->status);
	return manifest_is_same_file(&judged, &source.status) ? steal_fd(&source.fd)
							      : -ESTALE;
}

int export_object_reopen(const struct export_objects *objects,
			 const struct export_object *taken)
{
	int fd;

	access_as_owner(&objects->archiver.to.access);
	fd = reopen(objects, taken);
	access_as_ourselves(&objects->archiver.to.access);
	return fd;
}

/* The description is made in memory: its size must be known before it is written. */
static int describe(int out, const struct export_objects *objects,
		    const struct export_object *taken, struct expt_error *err)
{
	struct elf *elf;
	int fd = reopen(objects, taken), rc;

	if (fd < 0)
		return expt_fail(err, fd, "cannot open '%s'", taken->real_path);
	rc = elf_open(&elf, fd, err);
	if (rc < 0)
		return rc;
	rc = archive_describe(&objects->archiver, taken->object, elf, &taken->status,
			      &taken->origin, out, err);
	elf_close(elf);
	return rc;
}

int export_object_describe(uint64_t *size, const struct export_objects *objects,
			   const struct export_object *taken, struct expt_error *err)
{
	cleanup_fd int out = memfd_create("description", MFD_CLOEXEC);
	struct stat status;
	int rc;

	if (out < 0)
		return expt_fail(err, -errno, "cannot describe '%s'", taken->real_path);
	access_as_owner(&objects->archiver.to.access);
	rc = describe(out, objects, taken, err);
	access_as_ourselves(&objects->archiver.to.access);
	if (rc < 0)
		return rc;
	if (fstat(out, &status) < 0)
		return expt_fail(err, -errno, "cannot describe '%s'", taken->real_path);
	*size = (uint64_t)status.st_size;
	return steal_fd(&out);
}

int export_objects_record(struct export_objects *objects,
			  const struct export_object *taken, const char *hash,
			  struct expt_error *err)
{
	struct manifest *changes = &objects->archiver.to.changes;
	const struct manifest_entry *listed =
		manifest_find(changes, archive_kept_path(taken->object));
	struct manifest_entry entry;

	if (!listed)
		return 0;
	entry = *listed;
	if (hash) {
		snprintf(entry.hash, sizeof(entry.hash), "%s", hash);
		if (entry.state == MANIFEST_DESCRIBED)
			entry.state = MANIFEST_COPIED;
	} else {
		entry.state = MANIFEST_CHANGED;
		entry.reason = "changed while it was exported";
	}
	return manifest_put(changes, &entry) < 0
		       ? expt_fail(err, -ENOMEM, "cannot record '%s'", entry.path)
		       : 0;
}

int export_objects_manifest(struct strbuf *text, struct export_objects *objects,
			    struct expt_error *err)
{
	struct manifest *known = &objects->archiver.known.manifest;
	const struct manifest *changes = &objects->archiver.to.changes;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < changes->count; i++)
		rc = manifest_put(known, &changes->items[i]);
	if (rc == 0 && !manifest_print(text, known))
		rc = -ENOMEM;
	return rc < 0 ? expt_fail(err, rc, "cannot write the manifest of the archives")
		      : 0;
}
