/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread makes the directories and the empty big files; then all take items from one queue: the
 * small files of a directory, or a part of a big file. Descriptors of directories are opened once
 * for each item, so that a small file costs eight system calls.
 */
#include "libexpt/tree_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/error.h"
#include "libexpt/format.h"
#include "libexpt/progress.h"
#include "libexpt/workers.h"

#define PROBE_FILE ".probe"
#define PARTS_MAX  1024 /* of one file, however large its holes are */

struct copied_file {
	size_t first_part, part_count; /* of a regular file */
	atomic_size_t parts_left;      /* of a big one */
	atomic_bool is_short;	       /* a part ended early */
	enum file_change change;
};

/* A directory; or a big file, or a part of it. */
struct copy_item {
	size_t entry;
	size_t part;
};

/* By what it has on the disk: a mere hole needs no help. */
static bool is_big(const struct tree_entry *entry)
{
	return entry->type == DT_REG && entry->size >= TREE_COPY_PART_SIZE &&
	       entry->allocated >= TREE_COPY_PART_SIZE;
}

static bool is_sparse(const struct tree_entry *entry)
{
	return entry->allocated < entry->size;
}

static bool is_shared(const struct tree_copy *copy, size_t i)
{
	return copy->parts[copy->files[i].first_part].is_shared;
}

static int fail_to_copy(int code, const struct tree_entry *entry, struct expt_error *err)
{
	return expt_fail(err, code, "cannot copy '%s'", *entry->name ? entry->name : ".");
}

static int check_stop(const struct tree_copy *copy, struct expt_error *err)
{
	if (copy->stop && *copy->stop)
		return expt_fail(err, -EINTR, "stopped");
	return 0;
}

/* ---- what the copy shares with the original besides its bytes ---- */

/* File systems without owners or modes refuse: that is no reason to refuse the copy. */
static int keep_mode(struct tree_copy *copy, int fd, mode_t mode)
{
	if (fchmod(fd, mode) == 0)
		return 0;
	if (errno != EPERM && errno != EOPNOTSUPP)
		return -errno;
	atomic_store(&copy->lost_modes, true);
	return 0;
}

static int keep_owner(const struct tree_copy *copy, int fd,
		      const struct tree_entry *entry, const char *link)
{
	if (copy->without_attributes || !copy->is_root ||
	    (entry->uid == copy->uid && entry->gid == copy->gid))
		return 0;
	if (fchownat(fd, link, entry->uid, entry->gid,
		     AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) == 0 ||
	    errno == EPERM || errno == EINVAL)
		return 0;
	return -errno;
}

static int keep_times(const struct tree_copy *copy, int fd, const struct tree_entry *entry)
{
	const struct timespec times[2] = { entry->atime, entry->mtime };

	return !copy->without_attributes && futimens(fd, times) < 0 ? -errno : 0;
}

static mode_t mode_of_copy(const struct tree_copy *copy, const struct tree_entry *entry)
{
	return copy->without_attributes ? entry->mode & ~copy->lost_bits : entry->mode;
}

static mode_t directory_mode(const struct tree_copy *copy, const struct tree_entry *entry)
{
	return mode_of_copy(copy, entry) | copy->inherited_bits;
}

static int sync_if_wanted(const struct tree_copy *copy, int fd)
{
	return copy->syncs_files && fsync(fd) < 0 ? -errno : 0;
}

/* Directories that the umask would have closed to us were changed once already. */
static bool is_to_be_changed(const struct tree_copy *copy, mode_t created, mode_t wanted)
{
	return wanted != (created & ~copy->lost_bits) || (copy->lost_bits & S_IRWXU);
}

/* The last things done to a file or directory; creation_mode is what it was created with. */
static int finish(struct tree_copy *copy, int fd, const struct tree_entry *entry,
		  mode_t creation_mode, mode_t mode)
{
	int rc = keep_owner(copy, fd, entry, "");

	if (rc == 0 && is_to_be_changed(copy, creation_mode, mode))
		rc = keep_mode(copy, fd, mode);
	if (rc == 0)
		rc = keep_times(copy, fd, entry);
	if (rc == 0)
		rc = sync_if_wanted(copy, fd);
	return rc;
}

/* ---- the bytes ---- */

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

/* After the last byte: did the file stay what it was listed as? */
static int look_for_change(struct tree_copy *copy, size_t i, int in)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	struct copied_file *file = &copy->files[i];
	struct stat status;

	if (fstat(in, &status) < 0)
		return -errno;
	file->change = compare_with_list(entry, (uint64_t)status.st_size, &status.st_mtim,
					 atomic_load(&file->is_short));
	return 0;
}

/* A clone has the size that the file has now, a file with a hole at its end lacks it. */
static int set_size(const struct tree_copy *copy, size_t i, int out, uint64_t size)
{
	const struct transfer_part *part = &copy->parts[copy->files[i].first_part];
	bool may_differ = part->is_shared ? copy->files[i].change != FILE_AS_LISTED
					  : part->has_holes || copy->means.finds_holes;

	return may_differ && ftruncate(out, (off_t)size) < 0 ? -errno : 0;
}

static int open_source(int dir, const char *name)
{
	int fd = openat(dir, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static void *buffer_of(const struct tree_copy *copy, unsigned worker)
{
	return copy->buffers + (size_t)worker * TRANSFER_BUFFER_SIZE;
}

static int copy_bytes(struct tree_copy *copy, unsigned worker, size_t i, int in, int out)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	struct copied_file *file = &copy->files[i];
	struct transfer_part *part = &copy->parts[file->first_part];
	int rc = 0;

	if (entry->size >= BLOCK_SIZE)
		part->is_shared = transfer_clone(&copy->means, in, out);
	if (part->is_shared)
		progress_add(copy->progress, 0, entry->size);
	else
		rc = transfer_copy(&copy->means, part, in, out, buffer_of(copy, worker));
	if (rc == 0) {
		atomic_store(&file->is_short,
			     !part->is_shared && part->copied < part->length);
		rc = look_for_change(copy, i, in);
	}
	if (rc == 0)
		rc = set_size(copy, i, out,
			      atomic_load(&file->is_short) ? part->copied : entry->size);
	return rc;
}

static int close_written(int *fd)
{
	return close(steal_fd(fd)) < 0 ? -errno : 0;
}

static int copy_small_file(struct tree_copy *copy, unsigned worker, size_t i, int in_dir,
			   int out_dir, struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	cleanup_fd int in = open_source(in_dir, entry->base), out = -1;
	int rc;

	if (in == -ENOENT) {
		copy->files[i].change = FILE_VANISHED;
		return 0;
	}
	if (in < 0)
		return expt_fail(err, in, "cannot open '%s'", entry->name);
	out = openat(out_dir, entry->base,
		     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, entry->mode);
	if (out < 0)
		return fail_to_copy(-errno, entry, err);
	rc = copy_bytes(copy, worker, i, in, out);
	if (rc == 0)
		rc = finish(copy, out, entry, entry->mode, mode_of_copy(copy, entry));
	if (rc == 0)
		rc = close_written(&out);
	if (rc < 0)
		return fail_to_copy(rc, entry, err);
	progress_add(copy->progress, 1, 0);
	return 0;
}

static int copy_link(struct tree_copy *copy, size_t i, int out_dir, struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	const struct timespec times[2] = { entry->atime, entry->mtime };
	int rc;

	if (symlinkat(entry->target, out_dir, entry->base) < 0)
		return fail_to_copy(-errno, entry, err);
	rc = keep_owner(copy, out_dir, entry, entry->base);
	if (rc == 0 && !copy->without_attributes &&
	    utimensat(out_dir, entry->base, times, AT_SYMLINK_NOFOLLOW) < 0)
		rc = -errno;
	if (rc < 0)
		return fail_to_copy(rc, entry, err);
	progress_add(copy->progress, 1, 0);
	return 0;
}

/* ---- a directory ---- */

/* The log and the map stand for the time at which the copy was taken, so they go first. */
static bool goes_first(const struct tree_entry *entry)
{
	return strcmp(entry->base, LOG_FILE) == 0 ||
	       strcmp(entry->base, LOAD_MAP_FILE) == 0;
}

static int copy_entry(struct tree_copy *copy, unsigned worker, size_t i, int in, int out,
		      struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	int rc = check_stop(copy, err);

	if (rc < 0)
		return rc;
	if (entry->type == DT_LNK)
		return copy_link(copy, i, out, err);
	if (entry->type == DT_REG && !is_big(entry))
		return copy_small_file(copy, worker, i, in, out, err);
	return 0;
}

static int copy_entries(struct tree_copy *copy, unsigned worker,
			const struct tree_entry *directory, int in, int out,
			struct expt_error *err)
{
	const struct tree_entry *entries = &copy->tree->items[directory->first];
	int rc = 0;

	for (int turn = 0; turn < 2; turn++)
		for (size_t n = 0; n < directory->children && rc == 0; n++)
			if (goes_first(&entries[n]) == (turn == 0))
				rc = copy_entry(copy, worker, directory->first + n, in,
						out, err);
	return rc;
}

static int copy_directory(struct tree_copy *copy, unsigned worker, size_t i,
			  struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	cleanup_fd int in = tree_open_directory(copy->tree, copy->from, i);
	cleanup_fd int out = tree_open_directory(copy->tree, copy->to, i);
	int rc;

	if (in < 0)
		return expt_fail(err, in, "cannot open '%s'", entry->name);
	if (out < 0)
		return fail_to_copy(out, entry, err);
	rc = copy_entries(copy, worker, entry, in, out, err);
	if (rc < 0)
		return rc;
	rc = finish(copy, out, entry, entry->mode | 0700, directory_mode(copy, entry));
	return rc < 0 ? fail_to_copy(rc, entry, err) : 0;
}

/* ---- a part of a big file ---- */

static uint64_t copied_length(const struct tree_copy *copy, const struct copied_file *file)
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

/* Whoever copied the last part gives the file its final form. */
static int finish_big_file(struct tree_copy *copy, size_t i, int in, int out)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	struct copied_file *file = &copy->files[i];
	int rc = look_for_change(copy, i, in);

	if (rc == 0 && atomic_load(&file->is_short) &&
	    ftruncate(out, (off_t)copied_length(copy, file)) < 0)
		rc = -errno;
	if (rc == 0)
		rc = finish(copy, out, entry, 0, mode_of_copy(copy, entry));
	if (rc == 0)
		progress_add(copy->progress, 1, 0);
	return rc;
}

static int copy_part(struct tree_copy *copy, unsigned worker,
		     const struct copy_item *item, struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[item->entry];
	struct copied_file *file = &copy->files[item->entry];
	struct transfer_part *part = &copy->parts[item->part];
	cleanup_fd int in =
		io_open_beneath(copy->from, entry->name, O_RDONLY | O_NONBLOCK, 0);
	cleanup_fd int out = io_open_beneath(copy->to, entry->name, O_WRONLY, 0);
	int rc;

	if (in < 0)
		return expt_fail(err, in, "cannot open '%s'", entry->name);
	if (out < 0)
		return fail_to_copy(out, entry, err);
	rc = transfer_copy(&copy->means, part, in, out, buffer_of(copy, worker));
	if (rc == 0 && part->copied < part->length)
		atomic_store(&file->is_short, true);
	if (rc == 0 && atomic_fetch_sub(&file->parts_left, 1) == 1)
		rc = finish_big_file(copy, item->entry, in, out);
	if (rc == 0)
		rc = close_written(&out);
	return rc < 0 ? fail_to_copy(rc, entry, err) : 0;
}

static int copy_item(void *context, unsigned worker, size_t n, struct expt_error *err)
{
	struct tree_copy *copy = context;
	const struct copy_item *item = &copy->items[n];
	int rc = check_stop(copy, err);

	if (rc < 0)
		return rc;
	if (copy->tree->items[item->entry].type == DT_DIR)
		return copy_directory(copy, worker, item->entry, err);
	return copy_part(copy, worker, item, err);
}

/* ---- before the threads start ---- */

/* What umask, default ACLs and the directory make of new files can only be seen. */
static int probe_modes(struct tree_copy *copy)
{
	cleanup_fd int fd = openat(copy->to, PROBE_FILE,
				   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
				   0777);
	struct stat status, directory;

	if (fd < 0 || unlinkat(copy->to, PROBE_FILE, 0) < 0 || fstat(fd, &status) < 0 ||
	    fstat(copy->to, &directory) < 0)
		return -errno;
	copy->lost_bits = 0777 & ~status.st_mode;
	copy->inherited_bits = directory.st_mode & S_ISGID;
	copy->is_root = geteuid() == 0;
	copy->uid = status.st_uid;
	copy->gid = status.st_gid;
	return 0;
}

/* Two who write to one file wait for each other, so files are split only where there are too few to
 * occupy all threads: what is read and hashed meanwhile is still won. */
static bool is_split(const struct tree_copy *copy, const struct tree_entry *entry)
{
	return is_big(entry) && copy->big_count < copy->threads;
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

	copy->files = calloc(tree->count, sizeof *copy->files);
	copy->buffers = malloc((size_t)copy->threads * TRANSFER_BUFFER_SIZE);
	if (!copy->files || !copy->buffers)
		return -ENOMEM;
	for (size_t i = 0; i < tree->count; i++)
		copy->big_count += is_big(&tree->items[i]);
	for (size_t i = 0; i < tree->count; i++) {
		copy->files[i].first_part = copy->part_count;
		copy->files[i].part_count = count_parts(copy, &tree->items[i]);
		atomic_init(&copy->files[i].parts_left, copy->files[i].part_count);
		copy->part_count += copy->files[i].part_count;
	}
	copy->parts = calloc(copy->part_count + 1, sizeof *copy->parts);
	copy->items = calloc(tree->count + copy->part_count, sizeof *copy->items);
	if (!copy->parts || !copy->items)
		return -ENOMEM;
	for (size_t i = 0; i < tree->count; i++)
		lay_out_parts(copy, i);
	return 0;
}

/* An empty file of the right size, for several threads to fill; or a clone, and nothing is left to
 * do. Its mode comes last: it must stay writable until then. */
static int make_big_file(struct tree_copy *copy, size_t i)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	const struct copied_file *file = &copy->files[i];
	cleanup_fd int in =
		io_open_beneath(copy->from, entry->name, O_RDONLY | O_NONBLOCK, 0);
	cleanup_fd int out =
		io_open_beneath(copy->to, entry->name, O_WRONLY | O_CREAT | O_EXCL, 0600);
	bool is_clone;
	int rc = 0;

	if (in < 0 || out < 0)
		return in < 0 ? in : out;
	is_clone = transfer_clone(&copy->means, in, out);
	if (is_clone)
		progress_add(copy->progress, 0, entry->size);
	for (size_t n = 0; n < file->part_count; n++)
		copy->parts[file->first_part + n].is_shared = is_clone;
	if (ftruncate(out, (off_t)entry->size) < 0)
		rc = -errno;
	if (rc == 0 && is_clone)
		rc = finish_big_file(copy, i, in, out);
	return rc;
}

static void add_item(struct tree_copy *copy, size_t entry, size_t part)
{
	copy->items[copy->item_count++] = (struct copy_item){ entry, part };
}

/* A umask can make directories that not even we may enter. */
static int make_directory(const struct tree_copy *copy, const struct tree_entry *entry)
{
	mode_t mode = entry->mode | S_IRWXU;

	if (mkdirat(copy->to, entry->name, mode) < 0)
		return -errno;
	if ((copy->lost_bits & S_IRWXU) && fchmodat(copy->to, entry->name, mode, 0) < 0)
		return -errno;
	return 0;
}

static int make_entry(struct tree_copy *copy, size_t i)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	const struct copied_file *file = &copy->files[i];
	int rc = 0;

	if (entry->type == DT_DIR) {
		if (i != 0)
			rc = make_directory(copy, entry);
		add_item(copy, i, 0);
	} else if (is_big(entry)) {
		rc = make_big_file(copy, i);
		if (rc == 0 && !is_shared(copy, i))
			for (size_t n = 0; n < file->part_count; n++)
				add_item(copy, i, file->first_part + n);
	}
	return rc;
}

/* Only a copy of blocks as they are can share them. */
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
	for (size_t i = 0; i < copy->tree->count; i++) {
		rc = make_entry(copy, i);
		if (rc < 0)
			return fail_to_copy(rc, &copy->tree->items[i], err);
	}
	return workers_run(copy->threads, copy->item_count, copy_item, copy, err);
}

/* ---- reading it back ---- */

static int verify_part(struct tree_copy *copy, unsigned worker, size_t entry, size_t part,
		       int fd, struct expt_error *err)
{
	int rc = transfer_verify(&copy->means, &copy->parts[part], fd,
				 buffer_of(copy, worker));

	if (rc == -EINTR)
		return check_stop(copy, err);

	if (rc < 0)
		return expt_fail(err, rc, "cannot read back '%s'",
				 copy->tree->items[entry].name);
	if (rc == 0)
		return expt_fail(err, -EIO, "the copy of '%s' is not what was written",
				 copy->tree->items[entry].name);
	return 0;
}

static int verify_file(struct tree_copy *copy, unsigned worker, size_t i, int dir,
		       struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	const struct copied_file *file = &copy->files[i];
	cleanup_fd int fd = -1;

	if (entry->type == DT_DIR || is_big(entry))
		return 0;
	progress_add(copy->progress, 1, 0);
	if (entry->type == DT_LNK || file->change == FILE_VANISHED)
		return 0;
	fd = open_source(dir, entry->base);
	if (fd < 0)
		return expt_fail(err, fd, "cannot read back '%s'", entry->name);
	return verify_part(copy, worker, i, file->first_part, fd, err);
}

static int verify_directory(struct tree_copy *copy, unsigned worker, size_t i,
			    struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	cleanup_fd int dir = tree_open_directory(copy->tree, copy->to, i);
	int rc = 0;

	if (dir < 0)
		return expt_fail(err, dir, "cannot read back '%s'", entry->name);
	for (size_t n = 0; n < entry->children && rc == 0; n++)
		rc = verify_file(copy, worker, entry->first + n, dir, err);
	return rc;
}

/* Big files were written long before: what is read now may well come from the disk. */
static int verify_big_part(struct tree_copy *copy, unsigned worker,
			   const struct copy_item *item, struct expt_error *err)
{
	const struct tree_entry *entry = &copy->tree->items[item->entry];
	const struct transfer_part *part = &copy->parts[item->part];
	cleanup_fd int fd = io_open_beneath(copy->to, entry->name, O_RDONLY, 0);

	if (fd < 0)
		return expt_fail(err, fd, "cannot read back '%s'", entry->name);
	if (item->part == copy->files[item->entry].first_part)
		progress_add(copy->progress, 1, 0);
	posix_fadvise(fd, (off_t)part->offset, (off_t)part->length, POSIX_FADV_DONTNEED);
	return verify_part(copy, worker, item->entry, item->part, fd, err);
}

static int verify_item(void *context, unsigned worker, size_t n, struct expt_error *err)
{
	struct tree_copy *copy = context;
	const struct copy_item *item = &copy->items[n];
	int rc = check_stop(copy, err);

	if (rc < 0)
		return rc;
	if (copy->tree->items[item->entry].type == DT_DIR)
		return verify_directory(copy, worker, item->entry, err);
	return verify_big_part(copy, worker, item, err);
}

int tree_copy_verify(struct tree_copy *copy, struct expt_error *err)
{
	for (size_t i = 0; i < copy->tree->count; i++)
		if (is_big(&copy->tree->items[i]) && is_shared(copy, i))
			progress_add(copy->progress, 1, copy->tree->items[i].size);
	return workers_run(copy->threads, copy->item_count, verify_item, copy, err);
}

mode_t tree_copy_directory_mode(const struct tree_copy *copy, size_t i)
{
	return directory_mode(copy, &copy->tree->items[i]);
}

enum file_change tree_copy_change(const struct tree_copy *copy, size_t i)
{
	return copy->files[i].change;
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
