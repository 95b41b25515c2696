/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a copy back, by the same items with which it was made. Shared blocks are those of
 * the original, so they are not read. */
#include <errno.h>
#include <fcntl.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/common/workers.h"
#include "libexpt/copy/private.h"

static int verify_part(struct tree_copy *copy, unsigned worker, size_t entry, size_t part,
		       int fd, struct expt_error *err)
{
	int rc = transfer_verify(&copy->means, &copy->parts[part], fd,
				 copy_buffer(copy, worker));

	if (rc == -EINTR)
		return copy_check_stop(copy, err);
	if (rc < 0)
		return expt_fail(err, rc, "cannot read back '%s'",
				 copy->tree->items[entry].name);
	if (rc == 0)
		return expt_fail(err, -EIO,
				 "the copy of '%s' differs from the data written",
				 copy->tree->items[entry].name);
	return 0;
}

static int verify_file(struct tree_copy *copy, unsigned worker, size_t i,
		       struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	const struct copied_file *file = &copy->files[i];
	cleanup_fd int fd = -1;

	progress_add(copy->progress, 1, 0);
	if (entry->type == DT_LNK || atomic_load(&file->has_vanished))
		return 0;
	if (copy_is_shared(copy, i)) {
		progress_add(copy->progress, 0, entry->size);
		return 0;
	}
	fd = io_open_beneath(copy->to, entry->name, O_RDONLY, 0);
	if (fd < 0)
		return expt_fail(err, fd, "cannot read back '%s'", entry->name);
	return verify_part(copy, worker, i, file->first_part, fd, err);
}

static int verify_directory(struct tree_copy *copy, unsigned worker, size_t i,
			    struct expt_error *err)
{
	const struct tree_entry *entries = copy->tree->items, *entry = &entries[i];
	int rc = 0;

	for (size_t n = entry->first; n < entry->first + entry->children && rc == 0; n++)
		if (entries[n].type != DT_DIR &&
		    !copy_is_separate_item(copy, &entries[n]))
			rc = verify_file(copy, worker, n, err);
	return rc;
}

/* Big files were written long before. Drop their pages from the cache, so that as far as
 * they have been written back they are read from the disk. */
static int verify_big_part(struct tree_copy *copy, unsigned worker,
			   const struct copy_item *item, struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[item->entry];
	const struct transfer_part *part = &copy->parts[item->part];
	cleanup_fd int fd = -1;

	if (atomic_load(&copy->files[item->entry].has_vanished))
		return 0;
	fd = io_open_beneath(copy->to, entry->name, O_RDONLY, 0);
	if (fd < 0)
		return expt_fail(err, fd, "cannot read back '%s'", entry->name);
	if (item->part == copy->files[item->entry].first_part)
		progress_add(copy->progress, 1, 0);
	if (copy->begins_sync || copy->syncs_files)
		posix_fadvise(fd, (off_t)part->offset, (off_t)part->length,
			      POSIX_FADV_DONTNEED);
	return verify_part(copy, worker, item->entry, item->part, fd, err);
}

static int verify_item(void *context, unsigned worker, size_t n, struct expt_error *err)
{
	struct tree_copy *copy = context;
	const struct copy_item *item = &copy->items[n];
	const struct tree_entry *entry = &copy->tree->items[item->entry];
	int rc = copy_check_stop(copy, err);

	if (rc < 0)
		return rc;
	if (entry->type == DT_DIR)
		return verify_directory(copy, worker, item->entry, err);
	return copy_is_big(copy, entry) ? verify_big_part(copy, worker, item, err)
					: verify_file(copy, worker, item->entry, err);
}

int tree_copy_verify(struct tree_copy *copy, struct expt_error *err)
{
	for (size_t i = 0; i < copy->tree->count; i++)
		if (copy_is_big(copy, &copy->tree->items[i]) && copy_is_shared(copy, i))
			progress_add(copy->progress, 1, copy->tree->items[i].size);
	return workers_run(copy->threads, copy->item_count, verify_item, copy, err);
}
