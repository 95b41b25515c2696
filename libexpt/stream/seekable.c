/* SPDX-License-Identifier: Apache-2.0 */
/* A few frames are kept, each decompressed as far as needed. Experiments are read file by
 * file, and files of one kind are stored together, so that several frames are read at a
 * time, each forwards. */
#include "libexpt/stream/seekable.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/stream/frame.h"
#include "libexpt/stream/seek_table.h"
#include "libexpt/stream/seek_tail.h"

#define SLOTS	   6 /* of at most SEEK_FRAME_MAX each, or 8 MiB if compress.c wrote it */
#define INPUT_SIZE 16384u
#define PLAIN_SIZE 262144u
#define NO_FRAME   SIZE_MAX

/* A frame whose decompression has begun. */
struct slot {
	size_t frame; /* or NO_FRAME */
	struct frame_decoder *decoder;
	unsigned char *plain;
	size_t capacity;
	size_t done, taken; /* bytes after and before decompression */
	uint64_t worth;
};

struct seekable {
	int fd;
	uint64_t size, packed_size;
	struct seek_table table;
	struct frame_place {
		uint64_t plain, packed;
	} * places; /* where each frame begins; one more for the end */
	struct slot slots[SLOTS];
	uint64_t level; /* worth of the slot given up last */
	unsigned char *input;
};

/* ---- memory of frames ---- */

static void release_plain(struct slot *slot)
{
	if (slot->plain)
		munmap(slot->plain, slot->capacity);
	slot->plain = NULL;
	slot->capacity = 0;
}

/* Not by malloc(3), which serves large blocks from its heap once some were freed: small
 * ones between them would keep that from shrinking. */
static bool get_plain(struct slot *slot, size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	slot->plain = memory;
	slot->capacity = size;
	return true;
}

/* ---- opening ---- */

static int read_places(struct seekable *seekable)
{
	uint64_t plain = 0, packed = 0;

	seekable->places = calloc(seekable->table.count + 1, sizeof(*seekable->places));
	if (!seekable->places)
		return -ENOMEM;
	for (size_t i = 0; i < seekable->table.count; i++) {
		seekable->places[i] = (struct frame_place){ plain, packed };
		plain += seekable->table.items[i].plain_size;
		packed += seekable->table.items[i].packed_size;
	}
	seekable->places[seekable->table.count] = (struct frame_place){ plain, packed };
	seekable->size = plain;
	return 0;
}

static int open_file(struct seekable *seekable, int fd)
{
	struct stat status;

	for (size_t i = 0; i < SLOTS; i++)
		seekable->slots[i].frame = NO_FRAME;
	seekable->fd = fd;
	if (fstat(fd, &status) < 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return S_ISDIR(status.st_mode) ? -EISDIR : -EINVAL;
	seekable->size = seekable->packed_size = (uint64_t)status.st_size;
	if (seek_table_read(&seekable->table, fd, seekable->packed_size))
		return read_places(seekable);
	array_release(&seekable->table);
	return 0;
}

int seekable_open(struct seekable **out, int fd, struct expt_error *err)
{
	struct seekable *seekable = calloc(1, sizeof(*seekable));
	int rc = seekable ? open_file(seekable, fd) : -ENOMEM;

	if (rc < 0) {
		seekable_close(seekable);
		return expt_fail(err, rc, "cannot read");
	}
	*out = seekable;
	return 0;
}

void seekable_close(struct seekable *seekable)
{
	if (!seekable)
		return;
	seekable_rest(seekable);
	array_release(&seekable->table);
	free(seekable->places);
	free(seekable);
}

void seekable_rest(struct seekable *seekable)
{
	for (size_t i = 0; i < SLOTS; i++) {
		frame_decoder_free(seekable->slots[i].decoder);
		release_plain(&seekable->slots[i]);
		seekable->slots[i] = (struct slot){ .frame = NO_FRAME };
	}
	free(seekable->input);
	seekable->input = NULL;
}

uint64_t seekable_size(const struct seekable *seekable)
{
	return seekable->size;
}

uint64_t seekable_packed_size(const struct seekable *seekable)
{
	return seekable->packed_size;
}

/* ---- frames ---- */

static int damaged(const struct seekable *seekable, size_t frame, struct expt_error *err)
{
	return expt_refuse(err, -EBADMSG, "the frame of %u bytes at byte %llu is damaged",
			   seekable->table.items[frame].packed_size,
			   (unsigned long long)seekable->places[frame].packed);
}

/* Returns the frame with the byte at place, which is inside the stream. Frames without
 * bytes are skipped. */
static size_t find_frame(const struct seekable *seekable, uint64_t place)
{
	size_t low = 0, high = seekable->table.count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (seekable->places[middle].plain <= place)
			low = middle;
		else
			high = middle;
	}
	while (seekable->table.items[low].plain_size == 0)
		low--;
	return low;
}

/* Returns the slot of least worth: used long ago, and cheap to read again. Every slot
 * starts from the level of the last one given up, and adds its bytes. */
static struct slot *worst_slot(struct seekable *seekable)
{
	struct slot *worst = &seekable->slots[0];

	for (size_t i = 1; i < SLOTS && worst->frame != NO_FRAME; i++) {
		struct slot *slot = &seekable->slots[i];

		if (slot->frame == NO_FRAME || slot->worth < worst->worth)
			worst = slot;
	}
	if (worst->frame != NO_FRAME)
		seekable->level = worst->worth;
	return worst;
}

static int start_frame(struct slot *slot, size_t frame, size_t size)
{
	slot->frame = NO_FRAME;
	if (slot->capacity < size)
		release_plain(slot);
	if (!slot->decoder)
		slot->decoder = frame_decoder_new();
	if ((!slot->plain && !get_plain(slot, size)) || !slot->decoder)
		return -ENOMEM;
	frame_decoder_start(slot->decoder);
	slot->frame = frame;
	slot->done = slot->taken = 0;
	return 0;
}

static int find_slot(struct slot **out, struct seekable *seekable, size_t frame)
{
	for (size_t i = 0; i < SLOTS; i++)
		if (seekable->slots[i].frame == frame) {
			*out = &seekable->slots[i];
			return 0;
		}
	*out = worst_slot(seekable);
	return start_frame(*out, frame, seekable->table.items[frame].plain_size);
}

/* Decompress a little more. A complete frame must have the sizes that the table
 * promises. */
static int step(struct seekable *seekable, struct slot *slot, struct expt_error *err)
{
	const struct seek_entry *entry = &seekable->table.items[slot->frame];
	size_t part = entry->packed_size - slot->taken;
	ssize_t got;
	int rc;

	if (part > INPUT_SIZE)
		part = INPUT_SIZE;
	got = io_pread_full(seekable->fd, seekable->input, part,
			    (off_t)(seekable->places[slot->frame].packed + slot->taken));
	if (got < 0)
		return expt_fail(err, (int)got, "cannot read");
	part = (size_t)got;
	rc = frame_decoder_step(slot->decoder, slot->plain, entry->plain_size,
				&slot->done, seekable->input, &part);
	slot->taken += part;
	if (rc < 0 || (rc > 0 && (slot->done != entry->plain_size ||
				  slot->taken != entry->packed_size)))
		return damaged(seekable, slot->frame, err);
	return 0;
}

/* The last bytes of a frame are returned only after its checksum, which follows them. */
static bool is_far_enough(const struct seekable *seekable, const struct slot *slot,
			  size_t needed)
{
	const struct seek_entry *entry = &seekable->table.items[slot->frame];

	if (needed == entry->plain_size)
		return slot->taken == entry->packed_size;
	return slot->done >= needed;
}

static ssize_t read_frames(struct seekable *seekable, uint64_t place, size_t wanted,
			   const void **bytes, struct expt_error *err)
{
	size_t frame = find_frame(seekable, place);
	size_t start = (size_t)(place - seekable->places[frame].plain);
	size_t there = seekable->table.items[frame].plain_size - start;
	struct slot *slot;
	int rc = find_slot(&slot, seekable, frame);

	if (rc < 0)
		return expt_fail(err, rc, "cannot decompress");
	if (wanted > there)
		wanted = there;
	while (rc == 0 && !is_far_enough(seekable, slot, start + wanted))
		rc = step(seekable, slot, err);
	if (rc < 0) {
		slot->frame = NO_FRAME;
		return rc;
	}
	slot->worth = seekable->level + slot->done;
	*bytes = slot->plain + start;
	return (ssize_t)wanted;
}

/* ---- reading ---- */

static ssize_t read_file(struct seekable *seekable, uint64_t place, size_t wanted,
			 const void **bytes, struct expt_error *err)
{
	ssize_t got = io_pread_full(seekable->fd, seekable->input,
				    wanted < PLAIN_SIZE ? wanted : PLAIN_SIZE,
				    (off_t)place);

	*bytes = seekable->input;
	return got < 0 ? expt_fail(err, (int)got, "cannot read") : got;
}

ssize_t seekable_read(struct seekable *seekable, uint64_t place, size_t wanted,
		      const void **bytes, struct expt_error *err)
{
	if (place >= seekable->size || wanted == 0)
		return 0;
	if (!seekable->input)
		seekable->input = io_buffer(PLAIN_SIZE);
	if (!seekable->input)
		return expt_fail(err, -ENOMEM, "cannot decompress");
	return seekable->places ? read_frames(seekable, place, wanted, bytes, err)
				: read_file(seekable, place, wanted, bytes, err);
}

/* ---- the index ---- */

int seekable_index(char **text, struct seekable *seekable, size_t max,
		   struct expt_error *err)
{
	size_t last = seekable->table.count - 1, size;
	cleanup_free unsigned char *packed = NULL;
	ssize_t got;

	if (seekable->table.count == 0 || seekable->table.items[last].plain_size != 0)
		return 0;
	size = seekable->table.items[last].packed_size;
	packed = malloc(size + 1);
	if (!packed)
		return expt_fail(err, -ENOMEM, "cannot read the index of the bundle");
	got = io_pread_full(seekable->fd, packed, size,
			    (off_t)seekable->places[last].packed);
	if (got < 0)
		return expt_fail(err, (int)got, "cannot read the index of the bundle");
	return seek_index_text(text, packed, (size_t)got, max, err);
}
