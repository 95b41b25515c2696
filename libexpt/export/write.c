/* SPDX-License-Identifier: Apache-2.0 */
/* Writes files to the compressed stream in one pass: read, sum, write. Holes are found by
 * asking for data, not by looking for zeros, and are plain zeros in the bundle. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/bundle/checklist.h"
#include "libexpt/bundle/limits.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/common/report.h"
#include "libexpt/export/private.h"
#include "libexpt/format.h"
#include "libexpt/layout/layout.h"

#define BUFFER_SIZE  262144u
#define HOLES_ALWAYS (UINT64_C(4) << 30) /* bytes of holes allowed without data */

static const unsigned char zeros[65536];

int export_writer_open(struct export_writer *writer, int fd,
		       const struct expt_export_options *options, struct expt_error *err)
{
	int rc;

	*writer = (struct export_writer){ .options = options };
	writer->buffer = io_buffer(BUFFER_SIZE);
	if (!writer->buffer)
		return expt_fail(err, -ENOMEM, "cannot export");
	rc = compressor_open(&writer->compressor, fd, options->compression,
			     options->level, options->operation.threads, err);
	if (rc == 0)
		rc = tar_writer_open(&writer->tar, writer->compressor, err);
	if (rc == 0)
		rc = digest_open(&writer->digest, err);
	if (rc < 0)
		export_writer_release(writer);
	return rc;
}

void export_writer_release(struct export_writer *writer)
{
	tar_writer_close(writer->tar);
	compressor_close(writer->compressor);
	digest_close(writer->digest);
	strbuf_release(&writer->checklist);
	free(writer->buffer);
	*writer = (struct export_writer){ 0 };
}

int export_writer_finish(struct export_writer *writer, struct expt_error *err)
{
	int rc = tar_writer_finish(writer->tar, err);

	return rc < 0 ? rc : compressor_finish(writer->compressor, err);
}

/* ---- data ---- */

static int put(struct export_writer *writer, const void *bytes, size_t length,
	       struct expt_error *err)
{
	digest_add(writer->digest, bytes, length);
	if (writer->is_hashing)
		hash_update(&writer->hash, bytes, length);
	progress_add(writer->options->operation.progress, 0, length);
	return tar_writer_data(writer->tar, bytes, length, err);
}

static bool is_stopped(const struct export_writer *writer)
{
	return writer->options->operation.stop && *writer->options->operation.stop;
}

/* Holes cost their owner nothing, but the export as much as data: only a limited amount
 * goes with the data, as in an import. */
static bool are_credible(struct export_writer *writer, uint64_t holes)
{
	struct limits limits;

	limits_init(&limits, NULL);
	if (__builtin_add_overflow(writer->holes, holes, &writer->holes))
		writer->holes = UINT64_MAX;
	return writer->holes <= HOLES_ALWAYS ||
	       (writer->holes <= limits_max_output(&limits, writer->data) &&
		writer->holes <= limits_max_files(&limits));
}

static int put_hole(struct export_writer *writer, const char *name, uint64_t length,
		    struct expt_error *err)
{
	int rc = 0;

	if (!are_credible(writer, length))
		return expt_fail(err, -EFBIG, "the holes of '%s' are too large", name);
	while (length > 0 && rc == 0) {
		size_t part = length < sizeof(zeros) ? (size_t)length : sizeof(zeros);

		if (is_stopped(writer))
			return expt_fail(err, -EINTR, "stopped at '%s'", name);
		rc = put(writer, zeros, part, err);
		length -= part;
	}
	return rc;
}

/* Returns 1 if the file ended early. */
static int put_range(struct export_writer *writer, int fd, const char *name,
		     uint64_t start, uint64_t end, struct expt_error *err)
{
	while (start < end) {
		size_t part = end - start < BUFFER_SIZE ? (size_t)(end - start)
							: BUFFER_SIZE;
		ssize_t got = io_pread_full(fd, writer->buffer, part, (off_t)start);
		int rc;

		if (is_stopped(writer))
			return expt_fail(err, -EINTR, "stopped at '%s'", name);
		if (got < 0)
			return expt_fail(err, (int)got, "cannot read '%s'", name);
		writer->data += (size_t)got;
		rc = put(writer, writer->buffer, (size_t)got, err);
		if (rc < 0)
			return rc;
		start += (size_t)got;
		if ((size_t)got < part) {
			rc = put_hole(writer, name, end - start, err);
			return rc < 0 ? rc : 1;
		}
	}
	return 0;
}

/* Write the hole at offset and the data after it; *end is where that data ends. */
static int put_next(struct export_writer *writer, int fd, const struct export_item *item,
		    uint64_t offset, uint64_t *end, struct expt_error *err)
{
	uint64_t start = offset, length = item->size - offset;
	int rc = 1;

	if (item->allocated < item->size)
		rc = io_next_data(fd, offset, item->size, &start, &length);
	if (rc < 0)
		return expt_fail(err, rc, "cannot read '%s'", item->name);
	if (rc == 0) {
		start = item->size;
		length = 0;
	}
	*end = start + length;
	rc = put_hole(writer, item->name, start - offset, err);
	return rc < 0 ? rc : put_range(writer, fd, item->name, start, *end, err);
}

/* Write exactly the planned size, whatever happened to the file since. Returns 1 if it
 * became shorter. */
static int put_file(struct export_writer *writer, int fd, const struct export_item *item,
		    struct expt_error *err)
{
	bool is_shorter = false;
	uint64_t end = 0;

	for (uint64_t offset = 0; offset < item->size; offset = end) {
		int rc = put_next(writer, fd, item, offset, &end, err);

		if (rc < 0)
			return rc;
		is_shorter |= rc > 0;
	}
	return is_shorter;
}

/* ---- members ---- */

/* A log that is still being written may end within an element. */
static void say_left_out(const struct export_plan *plan, const struct export_item *item,
			 const struct anonymizer_damage *damage,
			 struct expt_report *report)
{
	if (damage->count > 0)
		expt_report_add(report, plan->operand.is_live ? EXPT_NOTE : EXPT_CHANGED,
				item->name,
				"left out %zu unparsable part%s, which cannot be "
				"anonymized; the first is at line %u: %s",
				damage->count, damage->count == 1 ? "" : "s",
				damage->line, damage->what);
}

static int open_anonymized(struct export_item *item, const struct export_plan *plan,
			   struct expt_report *report, struct expt_error *err)
{
	cleanup_fd int from = io_open_regular(item->dir, item->path);
	struct anonymizer_damage damage = { 0 };
	int fd;

	if (from < 0)
		return expt_fail(err, from, "cannot open '%s'", item->name);
	fd = anonymizer_copy(&plan->anonymizer, from, &item->size,
			     text_ends_with(item->name, ".xml"), &damage, err);
	if (fd < 0)
		return expt_fail_in(err, fd, "'%s'", item->name);
	item->allocated = item->size;
	say_left_out(plan, item, &damage, report);
	return fd;
}

/* In a live experiment write all call stacks that exist by now: the bundle may contain
 * records that are newer than the plan. */
static void take_all_stacks(struct export_item *item, int fd)
{
	struct stat status;

	if (!layout_has_stacks(path_base(item->path)) || fstat(fd, &status) < 0)
		return;
	if ((uint64_t)status.st_size > item->size)
		item->size = (uint64_t)status.st_size;
	item->allocated = (uint64_t)status.st_blocks * 512;
}

/* Returns a descriptor of the contents; if they are made here, item gets its size only
 * now. */
static int open_item(struct export_item *item, struct export_plan *plan,
		     struct expt_report *report, struct expt_error *err)
{
	struct origin origin;
	struct stat status;
	int fd;

	switch (item->source) {
	case EXPORT_DESCRIPTION:
		fd = export_object_describe(&item->size, plan->objects, item->object,
					    err);
		item->allocated = item->size;
		return fd;
	case EXPORT_ANONYMIZED:
		return open_anonymized(item, plan, report, err);
	case EXPORT_OBJECT:
		fd = export_object_reopen(plan->objects, item->object);
		break;
	case EXPORT_LINKED:
		fd = export_open_linked(&origin, &status, plan, item->path);
		break;
	default:
		fd = io_open_regular(item->dir, item->path);
		if (fd >= 0 && plan->operand.is_live)
			take_all_stacks(item, fd);
	}
	return fd < 0 ? expt_fail(err, fd, "cannot open '%s'", item->name) : fd;
}

static int list(struct export_writer *writer, const char *name, struct expt_error *err)
{
	unsigned char sum[DIGEST_SIZE];
	int rc = digest_finish(writer->digest, sum, err);

	if (rc < 0)
		return rc;
	checklist_add(&writer->checklist, name, sum);
	progress_add(writer->options->operation.progress, 1, 0);
	return writer->checklist.failed ? expt_fail(err, -ENOMEM, "cannot export") : 0;
}

/* Leave out a load object that could not be taken. If only the description failed, the
 * object itself is still copied. */
static int leave_out(struct export_writer *writer, const struct export_plan *plan,
		     const struct export_item *item, const struct expt_error *why,
		     struct expt_error *err)
{
	const struct export_object *object = item->object;
	struct expt_report *report = writer->options->operation.report;

	if (item->source == EXPORT_DESCRIPTION && *object->copy_name &&
	    why->code == -EBADMSG) {
		expt_report_add(report, EXPT_NOTE, object->real_path, "not described: %s",
				why->message);
		return 0;
	}
	expt_report_add(report, EXPT_CHANGED, object->real_path, "not exported: %s",
			why->message);
	return export_objects_record(plan->objects, object, NULL, err);
}

static int record_copy(struct export_writer *writer, const struct export_plan *plan,
		       const struct export_item *item, struct expt_error *err)
{
	unsigned char digest[HASH_SIZE];
	char text[HASH_TEXT_SIZE];

	hash_digest(&writer->hash, digest);
	hash_text(text, digest);
	return export_objects_record(plan->objects, item->object, text, err);
}

static int write_file(struct export_writer *writer, const struct export_plan *plan,
		      const struct export_item *item, int fd, const char *name,
		      struct expt_error *err)
{
	struct tar_member member = {
		.name = name,
		.type = TAR_FILE,
		.mode = item->mode,
		.size = item->size,
		.mtime = item->mtime,
	};
	int rc = tar_writer_member(writer->tar, &member, err);

	writer->is_hashing = item->source == EXPORT_OBJECT;
	hash_init(&writer->hash);
	if (rc == 0)
		rc = put_file(writer, fd, item, err);
	writer->is_hashing = false;
	if (rc > 0 && !plan->operand.is_live)
		expt_report_add(writer->options->operation.report, EXPT_CHANGED, name,
				"it shrank while it was read");
	if (rc < 0)
		return rc;
	expt_report_count_file(writer->options->operation.report, item->size);
	rc = list(writer, name, err);
	if (rc == 0 && item->source == EXPORT_OBJECT)
		rc = record_copy(writer, plan, item, err);
	return rc;
}

static int write_text(struct export_writer *writer, const char *name, const char *text,
		      size_t length, mode_t mode, struct timespec mtime,
		      struct expt_error *err)
{
	struct tar_member member = { .name = name,
				     .type = TAR_FILE,
				     .mode = mode,
				     .size = length,
				     .mtime = mtime };
	int rc = tar_writer_member(writer->tar, &member, err);

	if (rc == 0)
		rc = put(writer, text, length, err);
	return rc < 0 ? rc : list(writer, name, err);
}

static int write_archives_manifest(struct export_writer *writer,
				   const struct export_plan *plan,
				   const struct export_item *item, const char *name,
				   struct expt_error *err)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	int rc = export_objects_manifest(&text, plan->objects, err);

	return rc < 0 ? rc
		      : write_text(writer, name, text.text, text.length, item->mode,
				   item->mtime, err);
}

static int write_directory(struct export_writer *writer, const struct export_item *item,
			   const char *name, struct expt_error *err)
{
	struct tar_member member = {
		.name = name,
		.type = TAR_DIRECTORY,
		.mode = item->mode,
		.mtime = item->mtime,
	};

	return tar_writer_member(writer->tar, &member, err);
}

static int write_item(struct export_writer *writer, struct export_plan *plan,
		      struct export_item item, const char *name, struct expt_error *err)
{
	struct expt_error why;
	cleanup_fd int fd = -1;

	if (item.source == EXPORT_DIRECTORY)
		return write_directory(writer, &item, name, err);
	if (item.source == EXPORT_ARCHIVES_MANIFEST)
		return write_archives_manifest(writer, plan, &item, name, err);
	if (item.source == EXPORT_MARK)
		return export_write_text(writer, name, plan->mark, item.size, item.mtime,
					 err);
	fd = open_item(&item, plan, writer->options->operation.report, &why);
	if (fd < 0 && item.object)
		return leave_out(writer, plan, &item, &why, err);
	if (fd < 0 && err)
		*err = why;
	return fd < 0 ? fd : write_file(writer, plan, &item, fd, name, err);
}

int export_write_text(struct export_writer *writer, const char *name, const char *text,
		      size_t length, struct timespec mtime, struct expt_error *err)
{
	return write_text(writer, name, text, length, FILE_MODE, mtime, err);
}

/* The manifest lists everything since the previous one. Its time is that of the newest
 * file, so that the same experiment gives the same bytes. */
static int write_manifest(struct export_writer *writer, const struct export_plan *plan,
			  struct expt_error *err)
{
	cleanup_strbuf struct strbuf name = STRBUF_INIT, text = STRBUF_INIT;
	struct timespec newest = { 0 };
	int rc;

	for (size_t i = 0; i < plan->items.count; i++) {
		const struct timespec *time = &plan->items.items[i].mtime;

		if (time->tv_sec > newest.tv_sec ||
		    (time->tv_sec == newest.tv_sec && time->tv_nsec > newest.tv_nsec))
			newest = *time;
	}
	strbuf_printf(&name, "%s/%s", plan->top, EXPORT_MANIFEST);
	checklist_start(&text);
	strbuf_add(&text, strbuf_text(&writer->checklist), writer->checklist.length);
	if (name.failed || text.failed)
		return expt_fail(err, -ENOMEM, "cannot export");
	/* The manifest is read along with any file, so it begins a frame. */
	rc = tar_writer_cut(writer->tar, 0, err);
	if (rc == 0)
		rc = export_write_text(writer, name.text, text.text, text.length, newest,
				       err);
	strbuf_clear(&writer->checklist);
	return rc;
}

int export_write_experiment(struct export_writer *writer, struct export_plan *plan,
			    struct expt_error *err)
{
	cleanup_strbuf struct strbuf name = STRBUF_INIT;

	for (size_t i = 0; i < plan->items.count; i++) {
		const struct export_item *item = &plan->items.items[i];
		int rc;

		strbuf_clear(&name);
		strbuf_add_text(&name, plan->top);
		if (*item->name)
			strbuf_printf(&name, "/%s", item->name);
		if (name.failed)
			return expt_fail(err, -ENOMEM, "cannot export");
		rc = write_item(writer, plan, *item, name.text, err);
		if (rc < 0)
			return rc;
	}
	export_plan_rest(plan);
	return write_manifest(writer, plan, err);
}
