/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies an item. Small files are opened in their directories, which stay open while
 * they are filled, all others below the roots of the two trees. No link of the source
 * is followed; the copy is in a private directory.
 */
#include "libexpt/copy/private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/format.h"
#include "libexpt/layout/layout.h"

/* Judge by the allocated size: holes need no help. Files whose order matters stay
 * together. */
static bool has_data(const struct tree_copy *copy, const struct tree_entry *entry,
		     uint64_t size)
{
	return !copy->is_live && entry->type == DT_REG && entry->size >= size &&
	       entry->allocated >= size;
}

bool copy_is_separate_item(const struct tree_copy *copy, const struct tree_entry *entry)
{
	return has_data(copy, entry, TREE_COPY_ALONE_SIZE);
}

bool copy_is_big(const struct tree_copy *copy, const struct tree_entry *entry)
{
	return has_data(copy, entry, TREE_COPY_PART_SIZE);
}

bool copy_is_shared(const struct tree_copy *copy, size_t i)
{
	return copy->parts[copy->files[i].first_part].is_shared;
}

int copy_check_stop(const struct tree_copy *copy, struct expt_error *err)
{
	if (copy->stop && *copy->stop)
		return expt_fail(err, -EINTR, "stopped");
	return 0;
}

int copy_fail(int code, const struct tree_entry *entry, struct expt_error *err)
{
	return expt_fail(err, code, "cannot copy '%s'", *entry->name ? entry->name : ".");
}

void *copy_buffer(const struct tree_copy *copy, unsigned worker)
{
	return copy->buffers + (size_t)worker * TRANSFER_BUFFER_SIZE;
}

struct copy_place copy_place_below(const struct tree_copy *copy, size_t i)
{
	return (struct copy_place){ copy->from, copy->to, copy->tree->items[i].name };
}

int copy_open_source(const struct copy_place *place)
{
	if (place->from < 0)
		return place->from;
	return io_open_beneath(place->from, place->name, O_RDONLY | O_NONBLOCK | O_NOCTTY,
			       0);
}

/* Finish a file after its last write. If everything is synced at the end, each thread
 * starts writeback of its own files: on ext4 the one kernel thread that would do it takes
 * twice as long as the copy. If that fails, the sync reports it. */
static int close_written(const struct tree_copy *copy, size_t i, int *fd)
{
	if (copy->syncs_files && fsync(*fd) < 0)
		return -errno;
	if (copy->begins_sync && !copy_is_shared(copy, i))
		sync_file_range(*fd, 0, 0, SYNC_FILE_RANGE_WRITE);
	return close(steal_fd(fd)) < 0 ? -errno : 0;
}

/* ---- changes of the source ---- */

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static enum file_change compare_with_list(const struct tree_entry *entry, uint64_t size,
					  const struct timespec *mtime, bool is_short)
{
	if (is_short || size < entry->size)
		return FILE_SHRANK;
	if (size > entry->size)
		return FILE_GREW;
	return is_same_time(mtime, &entry->mtime) ? FILE_AS_LISTED : FILE_CHANGED;
}

/* The copy of a live experiment must not contain more than it can explain: the log and
 * the map are those of the time at which it was taken, and records are copied before the
 * call stacks that they name. */
enum turn { TURN_FIRST, TURN_RECORDS, TURN_STACKS, TURN_COUNT };

static enum turn turn_of(const struct tree_entry *entry)
{
	if (strcmp(entry->base, LOG_FILE) == 0 || strcmp(entry->base, LOAD_MAP_FILE) == 0)
		return TURN_FIRST;
	return layout_has_stacks(entry->base) ? TURN_STACKS : TURN_RECORDS;
}

/* Copy the call stacks of a live experiment last, and all that exist by then: the copy
 * may contain records that were made since the list was. */
static int take_all_stacks(struct tree_copy *copy, size_t i, int in)
{
	struct transfer_part *part = &copy->parts[copy->files[i].first_part];
	struct stat status;

	if (!copy->is_live || turn_of(&copy->tree->items[i]) != TURN_STACKS)
		return 0;
	if (fstat(in, &status) < 0)
		return -errno;
	if ((uint64_t)status.st_size > part->length)
		part->length = (uint64_t)status.st_size;
	return 0;
}

/* Check after the last byte if the file is still as listed. */
static int look_for_change(struct tree_copy *copy, size_t i, int in)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	struct copied_file *file = &copy->files[i];
	struct stat status;

	if (fstat(in, &status) < 0)
		return -errno;
	file->end = (uint64_t)status.st_size;
	file->change = compare_with_list(entry, file->end, &status.st_mtim,
					 atomic_load(&file->is_short));
	return 0;
}

static uint64_t copied_length(const struct tree_copy *copy,
			      const struct copied_file *file)
{
	uint64_t length = 0;

	for (size_t n = 0; n < file->part_count; n++) {
		const struct transfer_part *part = &copy->parts[file->first_part + n];

		length += part->copied;
		if (part->copied < part->length)
			break;
	}
	return length;
}

/* Returns the planned size, or, if the source became shorter, the copied bytes that it
 * still has. */
static uint64_t final_size(const struct tree_copy *copy, size_t i)
{
	const struct copied_file *file = &copy->files[i];
	uint64_t listed = file->part_count == 1 ? copy->parts[file->first_part].length
						: copy->tree->items[i].size;
	uint64_t size = atomic_load(&file->is_short) ? copied_length(copy, file) : listed;

	return size < file->end ? size : file->end;
}

/* A clone has the current size of the source. A copy that ends in a hole lacks that
 * hole. */
static int set_size(const struct tree_copy *copy, size_t i, int out)
{
	const struct transfer_part *part = &copy->parts[copy->files[i].first_part];
	bool may_differ = part->is_shared ? copy->files[i].change != FILE_AS_LISTED
					  : part->has_holes || copy->means.finds_holes;

	return may_differ && ftruncate(out, (off_t)final_size(copy, i)) < 0 ? -errno : 0;
}

/* ---- a whole file ---- */

static int copy_bytes(struct tree_copy *copy, unsigned worker, size_t i, int in, int out)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	struct copied_file *file = &copy->files[i];
	struct transfer_part *part = &copy->parts[file->first_part];
	int rc = 0;

	/* Clone even the smallest files: then there is nothing to write to the disk and
	 * to read back. */
	part->is_shared = entry->size > 0 && transfer_clone(&copy->means, in, out);
	if (part->is_shared)
		progress_add(copy->progress, 0, entry->size);
	else
		rc = transfer_copy(&copy->means, part, in, out,
				   copy_buffer(copy, worker));
	if (rc < 0)
		return rc;
	atomic_store(&file->is_short, !part->is_shared && part->copied < part->length);
	rc = look_for_change(copy, i, in);
	return rc < 0 ? rc : set_size(copy, i, out);
}

static int copy_whole_file(struct tree_copy *copy, unsigned worker, size_t i,
			   const struct copy_place *place, struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	cleanup_fd int in = copy_open_source(place), out = -1;
	int rc;

	if (in == -ENOENT) {
		atomic_store(&copy->files[i].has_vanished, true);
		return 0;
	}
	if (in < 0)
		return expt_fail(err, in, "cannot open '%s'", entry->name);
	out = io_open_beneath(place->to, place->name, O_WRONLY | O_CREAT | O_EXCL,
			      entry->mode);
	if (out < 0)
		return copy_fail(out, entry, err);
	rc = take_all_stacks(copy, i, in);
	if (rc == 0)
		rc = copy_bytes(copy, worker, i, in, out);
	if (rc == 0 && !copy->without_attributes)
		rc = copy_extended(copy, i, in, out);
	if (rc == 0)
		rc = copy_attributes(copy, i, out, "", entry->mode);
	if (rc == 0)
		rc = close_written(copy, i, &out);
	return rc < 0 ? copy_fail(rc, entry, err) : 0;
}

static int copy_link(struct tree_copy *copy, size_t i, const struct copy_place *place,
		     struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	int rc = symlinkat(entry->target, place->to, place->name) < 0
			 ? -errno
			 : copy_attributes(copy, i, place->to, place->name, 0);

	return rc < 0 ? copy_fail(rc, entry, err) : 0;
}

/* ---- a directory ---- */

static int copy_file(struct tree_copy *copy, unsigned worker, size_t i,
		     const struct copy_place *place, struct expt_error *err)
{
	int rc = copy->tree->items[i].type == DT_LNK
			 ? copy_link(copy, i, place, err)
			 : copy_whole_file(copy, worker, i, place, err);

	if (rc == 0)
		progress_add(copy->progress, 1, 0);
	return rc;
}

static int copy_entry(struct tree_copy *copy, unsigned worker, size_t i,
		      const struct copy_place *directory, struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	const struct copy_place place = { directory->from, directory->to, entry->base };
	int rc = copy_check_stop(copy, err);

	if (rc < 0 || entry->type == DT_DIR || copy_is_separate_item(copy, entry))
		return rc;
	return copy_file(copy, worker, i, &place, err);
}

static int copy_entries(struct tree_copy *copy, unsigned worker, size_t i,
			const struct copy_place *directory, struct expt_error *err)
{
	size_t first = copy->tree->items[i].first, count = copy->tree->items[i].children;
	const struct tree_entry *entries = &copy->tree->items[first];
	int rc = 0;

	for (enum turn turn = TURN_FIRST; turn < TURN_COUNT; turn++)
		for (size_t n = 0; n < count && rc == 0; n++)
			if (turn_of(&entries[n]) == turn)
				rc = copy_entry(copy, worker, first + n, directory, err);
	return rc;
}

/* A directory that was made first gets its attributes in complete(), after everything in
 * it is made. */
static int copy_directory(struct tree_copy *copy, unsigned worker, size_t i,
			  struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	bool is_made_first = copy->files[i].is_made_first;
	struct copy_place directory;
	int rc = is_made_first ? 0 : copy_make_directory(copy, i);

	if (rc == 0)
		rc = copy_open_directory(copy, i, &directory);
	if (rc < 0)
		return copy_fail(rc, entry, err);
	rc = copy_entries(copy, worker, i, &directory, err);
	if (rc == 0 && !is_made_first) {
		rc = copy_directory_attributes(copy, i, &directory);
		if (rc < 0)
			copy_fail(rc, entry, err);
	}
	copy_close_directory(&directory);
	return rc;
}

/* ---- a part of a big file ---- */

int copy_finish_big_file(struct tree_copy *copy, size_t i, int in, int out)
{
	int rc = look_for_change(copy, i, in);

	if (rc == 0 && copy->files[i].change == FILE_SHRANK &&
	    ftruncate(out, (off_t)final_size(copy, i)) < 0)
		rc = -errno;
	if (rc == 0 && !copy->without_attributes)
		rc = copy_extended(copy, i, in, out);
	if (rc == 0)
		rc = copy_attributes(copy, i, out, "", 0);
	if (rc == 0 && copy->syncs_files && fsync(out) < 0)
		rc = -errno;
	if (rc == 0)
		progress_add(copy->progress, 1, 0);
	return rc;
}

/* Other threads may be copying parts of it. They write to an unlinked file, and without
 * this part none of them finishes it. */
static int give_up(struct tree_copy *copy, size_t i)
{
	const char *base;
	cleanup_fd int opened = -1;
	int parent = io_parent(copy->to, copy->tree->items[i].name, &base, &opened);

	atomic_store(&copy->files[i].has_vanished, true);
	if (parent < 0)
		return parent;
	return unlinkat(parent, base, 0) < 0 && errno != ENOENT ? -errno : 0;
}

/* The thread that copies the last part finishes the file. */
static int copy_part(struct tree_copy *copy, unsigned worker,
		     const struct copy_item *item, struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[item->entry];
	struct copied_file *file = &copy->files[item->entry];
	struct transfer_part *part = &copy->parts[item->part];
	const struct copy_place place = copy_place_below(copy, item->entry);
	cleanup_fd int in = copy_open_source(&place), out = -1;
	int rc;

	if (in == -ENOENT || atomic_load(&file->has_vanished)) {
		rc = give_up(copy, item->entry);
		return rc < 0 ? copy_fail(rc, entry, err) : 0;
	}
	if (in < 0)
		return expt_fail(err, in, "cannot open '%s'", entry->name);
	out = io_open_beneath(place.to, place.name, O_WRONLY, 0);
	if (out == -ENOENT && atomic_load(&file->has_vanished))
		return 0;
	if (out < 0)
		return copy_fail(out, entry, err);
	rc = transfer_copy(&copy->means, part, in, out, copy_buffer(copy, worker));
	if (rc == 0 && part->copied < part->length)
		atomic_store(&file->is_short, true);
	if (rc == 0 && atomic_fetch_sub(&file->parts_left, 1) == 1)
		rc = copy_finish_big_file(copy, item->entry, in, out);
	/* Start writeback, as in close_written(). */
	if (rc == 0 && copy->begins_sync)
		sync_file_range(out, (off_t)part->offset, (off_t)part->length,
				SYNC_FILE_RANGE_WRITE);
	if (rc == 0 && close(steal_fd(&out)) < 0)
		rc = -errno;
	return rc < 0 ? copy_fail(rc, entry, err) : 0;
}

int copy_item(void *context, unsigned worker, size_t n, struct expt_error *err)
{
	struct tree_copy *copy = context;
	const struct copy_item *item = &copy->items[n];
	const struct tree_entry *entry = &copy->tree->items[item->entry];
	const struct copy_place place = copy_place_below(copy, item->entry);
	int rc = copy_check_stop(copy, err);

	if (rc < 0)
		return rc;
	if (entry->type == DT_DIR)
		return copy_directory(copy, worker, item->entry, err);
	if (copy_is_big(copy, entry))
		return copy_part(copy, worker, item, err);
	return copy_file(copy, worker, item->entry, &place, err);
}
