/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies the bytes of a file. Copying in the kernel is tried first, and given up for
 * all files at the first refusal: refusals depend on the two file systems only. With a
 * checksum the bytes must pass through user space, which costs the same.
 */
#include "libexpt/copy/bytes.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/io.h"
#include "libexpt/common/progress.h"

/* Below this size an additional system call costs what copying in the kernel saves. */
#define COPY_RANGE_MIN (256 * 1024)
#define COPY_RANGE_MAX (64u << 20) /* per call, which cannot be interrupted */
#define HOLE_SIZE      4096	   /* the block that file systems can leave out */

bool transfer_clone(struct transfer_means *means, int from, int to)
{
	if (atomic_load(&means->cannot_clone))
		return false;
	if (io_clone(to, from))
		return true;
	if (errno != EINVAL) /* EINVAL concerns only this file */
		atomic_store(&means->cannot_clone, true);
	return false;
}

static bool is_stopped(const struct transfer_means *means)
{
	return means->stop && *means->stop;
}

static bool is_refusal(int error)
{
	return error == EXDEV || error == EINVAL || error == EOPNOTSUPP ||
	       error == ENOSYS || error == EBADF || error == EPERM || error == EFBIG ||
	       error == ETXTBSY;
}

/* Copy with copy_file_range(2). *copied is less than length if reading and writing must
 * continue. */
static int copy_in_kernel(struct transfer_means *means, int from, int to, uint64_t offset,
			  uint64_t length, uint64_t *copied)
{
	*copied = 0;
	while (*copied < length && !atomic_load(&means->cannot_copy)) {
		off_t in = (off_t)(offset + *copied), out = in;
		uint64_t rest = length - *copied;
		ssize_t got =
			copy_file_range(from, &in, to, &out,
					rest < COPY_RANGE_MAX ? rest : COPY_RANGE_MAX, 0);

		if (is_stopped(means))
			return -EINTR;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && !is_refusal(errno))
			return -errno;
		if (got < 0)
			atomic_store(&means->cannot_copy, true);
		/* 0 is the end of the file, or the answer for files in /proc or some
		 * FUSE. */
		if (got <= 0)
			break;
		*copied += (uint64_t)got;
		progress_add(means->progress, 0, (uint64_t)got);
	}
	return 0;
}

static bool is_zero(const char *bytes, size_t length)
{
	return *bytes == 0 && memcmp(bytes, bytes + 1, length - 1) == 0;
}

/* Returns how many bytes, from the first, are all in blocks of zeros, or all in
 * others. */
static size_t run_length(const char *bytes, size_t length, bool *is_hole)
{
	size_t run = 0;

	while (run < length) {
		size_t rest = length - run, size = rest < HOLE_SIZE ? rest : HOLE_SIZE;
		bool is_empty = is_zero(bytes + run, size);

		if (run == 0)
			*is_hole = is_empty;
		if (is_empty != *is_hole)
			break;
		run += size;
	}
	return run;
}

/* Leave blocks of zeros as holes. The file gets its size at the end. */
static int write_around_holes(int to, const char *bytes, size_t length, uint64_t offset)
{
	int rc = 0;

	for (size_t at = 0, run; at < length && rc == 0; at += run) {
		bool is_hole = false;

		run = run_length(bytes + at, length - at, &is_hole);
		if (!is_hole)
			rc = io_pwrite_all(to, bytes + at, run, (off_t)(offset + at));
	}
	return rc;
}

static int write_bytes(const struct transfer_means *means, int to, const char *bytes,
		       size_t length, uint64_t offset)
{
	if (means->finds_holes)
		return write_around_holes(to, bytes, length, offset);
	return io_pwrite_all(to, bytes, length, (off_t)offset);
}

static int copy_by_hand(struct transfer_means *means, int from, int to, uint64_t offset,
			uint64_t length, uint64_t *copied, struct hash *hash,
			void *buffer)
{
	while (*copied < length) {
		uint64_t rest = length - *copied;
		size_t wanted = rest < TRANSFER_BUFFER_SIZE ? rest : TRANSFER_BUFFER_SIZE;
		ssize_t got =
			io_pread_full(from, buffer, wanted, (off_t)(offset + *copied));
		int rc;

		if (got < 0)
			return (int)got;
		if (is_stopped(means))
			return -EINTR;
		if (got == 0)
			break;
		if (hash)
			hash_update(hash, buffer, (size_t)got);
		rc = write_bytes(means, to, buffer, (size_t)got, offset + *copied);
		if (rc < 0)
			return rc;
		*copied += (uint64_t)got;
		progress_add(means->progress, 0, (uint64_t)got);
		if ((size_t)got < wanted)
			break;
	}
	return 0;
}

static int copy_range(struct transfer_means *means, int from, int to, uint64_t offset,
		      uint64_t length, uint64_t *copied, struct hash *hash, void *buffer)
{
	*copied = 0;
	if (!hash && length >= COPY_RANGE_MIN) {
		int rc = copy_in_kernel(means, from, to, offset, length, copied);

		if (rc < 0)
			return rc;
	}
	return copy_by_hand(means, from, to, offset, length, copied, hash, buffer);
}

static int copy_data(struct transfer_means *means, struct transfer_part *part, int from,
		     int to, struct hash *hash, void *buffer)
{
	uint64_t end = part->offset + part->length, at = part->offset, copied;
	struct transfer_range found = { 0 };
	int rc;

	while ((rc = io_next_data(from, at, end, &found.offset, &found.length)) > 0) {
		struct transfer_range *range = array_add(&part->data);

		if (!range)
			return -ENOMEM;
		progress_add(means->progress, 0, found.offset - at);
		rc = copy_range(means, from, to, found.offset, found.length, &copied,
				hash, buffer);
		if (rc < 0)
			return rc;
		*range = (struct transfer_range){ found.offset, copied };
		at = found.offset + copied;
		if (copied < found.length) {
			part->copied = at - part->offset;
			return 0;
		}
	}
	progress_add(means->progress, 0, end - at);
	part->copied = part->length; /* a hole follows the last data */
	return rc;
}

int transfer_copy(struct transfer_means *means, struct transfer_part *part, int from,
		  int to, void *buffer)
{
	struct hash hash, *wanted = means->needs_hash ? &hash : NULL;
	int rc;

	if (wanted)
		hash_init(wanted);
	if (part->has_holes)
		rc = copy_data(means, part, from, to, wanted, buffer);
	else
		rc = copy_range(means, from, to, part->offset, part->length,
				&part->copied, wanted, buffer);
	if (rc == 0 && wanted)
		hash_digest(wanted, part->digest);
	return rc;
}

/* Returns 1 if the whole range could be read. */
static int hash_range(struct transfer_means *means, struct hash *hash, int copy,
		      uint64_t offset, uint64_t length, void *buffer)
{
	while (length > 0) {
		size_t wanted = length < TRANSFER_BUFFER_SIZE ? length
							      : TRANSFER_BUFFER_SIZE;
		ssize_t got = io_pread_full(copy, buffer, wanted, (off_t)offset);

		if (got < 0)
			return (int)got;
		if ((size_t)got < wanted)
			return 0;
		if (is_stopped(means))
			return -EINTR;
		hash_update(hash, buffer, (size_t)got);
		progress_add(means->progress, 0, (uint64_t)got);
		offset += (uint64_t)got;
		length -= (uint64_t)got;
	}
	return 1;
}

int transfer_verify(struct transfer_means *means, const struct transfer_part *part,
		    int copy, void *buffer)
{
	unsigned char digest[HASH_SIZE];
	uint64_t holes = part->copied;
	struct hash hash;
	int rc = 1;

	if (part->is_shared) {
		progress_add(means->progress, 0, part->length);
		return 1;
	}
	hash_init(&hash);
	if (!part->has_holes)
		rc = hash_range(means, &hash, copy, part->offset, part->copied, buffer);
	for (size_t i = 0; i < part->data.count && rc > 0; i++) {
		const struct transfer_range *range = &part->data.items[i];

		rc = hash_range(means, &hash, copy, range->offset, range->length, buffer);
		holes -= range->length;
	}
	if (rc <= 0)
		return rc;
	if (part->has_holes)
		progress_add(means->progress, 0, holes);
	hash_digest(&hash, digest);
	return memcmp(digest, part->digest, sizeof(digest)) == 0;
}

void transfer_release(struct transfer_part *part)
{
	array_release(&part->data);
}
