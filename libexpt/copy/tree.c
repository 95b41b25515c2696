/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies a tree. One thread makes the directories in which others are made, and the
 * empty big files. Then all take items from one queue: a directory with its small
 * files, a file of some size, or a part of a big one.
 */
#include "libexpt/copy/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/common/workers.h"
#include "libexpt/copy/private.h"
#include "libexpt/format.h"

#define PARTS_MAX 1024 /* of one file, however large its holes are */

static bool is_sparse(const struct tree_entry *entry)
{
	return entry->allocated < entry->size;
}

/* ---- the plan ---- */

/* Make a file to find out how umask, default ACLs and the directory affect new ones. */
static int probe_modes(struct tree_copy *copy)
{
	struct stat status, directory;
	int rc = io_probe_file(copy->to, PROBE_FILE, &status);

	if (rc < 0)
		return rc;
	if (fstat(copy->to, &directory) < 0)
		return -errno;
	copy->lost_bits = 0777 & ~status.st_mode;
	copy->inherited_bits = directory.st_mode & S_ISGID;
	copy->is_root = geteuid() == 0;
	copy->uid = status.st_uid;
	copy->gid = status.st_gid;
	return copy->without_attributes ? 0 : copy_probe_extended(copy);
}

/* Threads that write to one file wait for each other, so files are split only if there
 * are too few to occupy all threads: reading and hashing still run in parallel. */
static bool is_split(const struct tree_copy *copy, const struct tree_entry *entry)
{
	return copy_is_big(copy, entry) && copy->big_count < copy->threads;
}

static uint64_t part_size(const struct tree_copy *copy, const struct tree_entry *entry)
{
	uint64_t size = TREE_COPY_PART_SIZE;

	if (!is_split(copy, entry))
		return entry->size ? entry->size : 1;
	while (entry->size / size >= PARTS_MAX)
		size *= 2;
	return size;
}

static size_t count_parts(const struct tree_copy *copy, const struct tree_entry *entry)
{
	uint64_t size = part_size(copy, entry);

	if (entry->type != DT_REG)
		return 0;
	return entry->size ? (size_t)((entry->size + size - 1) / size) : 1;
}

static void lay_out_parts(struct tree_copy *copy, size_t i)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	struct copied_file *file = &copy->files[i];
	uint64_t size = part_size(copy, entry), offset = 0;

	for (size_t n = 0; n < file->part_count; n++, offset += size) {
		struct transfer_part *part = &copy->parts[file->first_part + n];

		part->offset = offset;
		part->length = entry->size - offset < size ? entry->size - offset : size;
		part->has_holes = is_sparse(entry) && copy->sparse != EXPT_SPARSE_NEVER;
	}
}

static int lay_out(struct tree_copy *copy)
{
	const struct tree *tree = copy->tree;

	copy->files = calloc(tree->count, sizeof(*copy->files));
	copy->buffers = io_buffer((size_t)copy->threads * TRANSFER_BUFFER_SIZE);
	if (!copy->files || !copy->buffers)
		return -ENOMEM;
	for (size_t i = 0; i < tree->count; i++)
		copy->big_count += copy_is_big(copy, &tree->items[i]);
	for (size_t i = 0; i < tree->count; i++) {
		copy->files[i].first_part = copy->part_count;
		copy->files[i].part_count = count_parts(copy, &tree->items[i]);
		atomic_init(&copy->files[i].parts_left, copy->files[i].part_count);
		copy->part_count += copy->files[i].part_count;
	}
	copy->parts = calloc(copy->part_count + 1, sizeof(*copy->parts));
	copy->items = calloc(tree->count + copy->part_count, sizeof(*copy->items));
	if (!copy->parts || !copy->items)
		return -ENOMEM;
	for (size_t i = 0; i < tree->count; i++)
		lay_out_parts(copy, i);
	return 0;
}

/* ---- before the threads start ---- */

/* Make directories first that contain others, or files that are items. */
static void choose_what_is_made_first(struct tree_copy *copy)
{
	const struct tree_entry *entries = copy->tree->items;

	copy->files[0].is_made_first = true;
	for (size_t i = 1; i < copy->tree->count; i++)
		if (entries[i].type == DT_DIR || copy_is_separate_item(copy, &entries[i]))
			copy->files[entries[i].directory].is_made_first = true;
}

/* Make an empty file of the right size, for several threads to fill, or a clone, which is
 * complete. Its mode is set last: it must stay writable until then. */
static int make_big_file(struct tree_copy *copy, size_t i)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	struct copied_file *file = &copy->files[i];
	const struct copy_place place = copy_place_below(copy, i);
	cleanup_fd int in = copy_open_source(&place), out = -1;
	bool is_clone;
	int rc = 0;

	if (in == -ENOENT) {
		atomic_store(&file->has_vanished, true);
		return 0;
	}
	if (in < 0)
		return in;
	out = io_open_beneath(place.to, place.name, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (out < 0)
		return out;
	/* The threads open it again, so undo the effect of the umask. */
	if ((copy->lost_bits & S_IRWXU) && fchmod(out, 0600) < 0)
		return -errno;
	is_clone = transfer_clone(&copy->means, in, out);
	if (is_clone)
		progress_add(copy->progress, 0, entry->size);
	for (size_t n = 0; n < file->part_count; n++)
		copy->parts[file->first_part + n].is_shared = is_clone;
	if (ftruncate(out, (off_t)entry->size) < 0)
		rc = -errno;
	if (rc == 0 && is_clone)
		rc = copy_finish_big_file(copy, i, in, out);
	return rc;
}

static void add_item(struct tree_copy *copy, size_t entry, size_t part)
{
	copy->items[copy->item_count++] = (struct copy_item){ entry, part };
}

static int prepare_big_file(struct tree_copy *copy, size_t i)
{
	const struct copied_file *file = &copy->files[i];
	int rc = make_big_file(copy, i);

	if (rc < 0 || copy_is_shared(copy, i) || atomic_load(&file->has_vanished))
		return rc;
	for (size_t n = 0; n < file->part_count; n++)
		add_item(copy, i, file->first_part + n);
	return 0;
}

static int prepare_entry(struct tree_copy *copy, size_t i)
{
	const struct tree_entry *entry = &copy->tree->items[i];

	if (copy_is_big(copy, entry))
		return prepare_big_file(copy, i);
	if (entry->type != DT_DIR && !copy_is_separate_item(copy, entry))
		return 0;
	add_item(copy, i, copy->files[i].first_part);
	return i != 0 && copy->files[i].is_made_first ? copy_make_directory(copy, i) : 0;
}

static int prepare(struct tree_copy *copy, struct expt_error *err)
{
	choose_what_is_made_first(copy);
	for (size_t i = 0; i < copy->tree->count; i++) {
		int rc = prepare_entry(copy, i);

		if (rc < 0)
			return copy_fail(rc, &copy->tree->items[i], err);
	}
	return 0;
}

/* ---- after they have ended ---- */

static int complete_directory(struct tree_copy *copy, size_t i)
{
	struct copy_place directory;
	int rc = copy_open_directory(copy, i, &directory);

	if (rc < 0)
		return rc;
	rc = copy_directory_attributes(copy, i, &directory);
	copy_close_directory(&directory);
	return rc;
}

/* Go from the innermost to the root: changes in a directory change its times. */
static int complete(struct tree_copy *copy, struct expt_error *err)
{
	for (size_t i = copy->tree->count; i-- > 0;) {
		int rc = copy->files[i].is_made_first ? complete_directory(copy, i) : 0;

		if (rc < 0)
			return copy_fail(rc, &copy->tree->items[i], err);
	}
	return 0;
}

/* Blocks can be shared only if they are copied unchanged. */
static void set_up_means(struct tree_copy *copy)
{
	bool may_share = copy->reflink == EXPT_REFLINK_AUTO &&
			 copy->sparse == EXPT_SPARSE_AUTO;

	copy->means.needs_hash = copy->needs_verify;
	copy->means.finds_holes = copy->sparse == EXPT_SPARSE_ALWAYS;
	copy->means.stop = copy->stop;
	copy->means.progress = copy->progress;
	atomic_init(&copy->means.cannot_clone, !may_share);
	atomic_init(&copy->means.cannot_copy, !may_share);
}

int tree_copy_run(struct tree_copy *copy, struct expt_error *err)
{
	int rc = lay_out(copy);

	if (rc == 0)
		rc = probe_modes(copy);
	if (rc < 0)
		return expt_fail(err, rc, "cannot prepare the copy");
	set_up_means(copy);
	rc = prepare(copy, err);
	if (rc == 0)
		rc = workers_run(copy->threads, copy->item_count, copy_item, copy, err);
	return rc < 0 ? rc : complete(copy, err);
}

enum file_change tree_copy_change(const struct tree_copy *copy, size_t i)
{
	const struct copied_file *file = &copy->files[i];

	return atomic_load(&file->has_vanished) ? FILE_VANISHED : file->change;
}

void tree_copy_release(struct tree_copy *copy)
{
	for (size_t i = 0; copy->parts && i < copy->part_count; i++)
		transfer_release(&copy->parts[i]);
	free(copy->parts);
	free(copy->files);
	free(copy->items);
	free(copy->buffers);
}
