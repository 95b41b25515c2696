/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packets of a block file, one after the other, whatever they contain. The file is
 * read in pieces, never mapped, so truncating it does no harm.
 */
#ifndef LIBEXPT_EXPERIMENT_PACKETS_H
#define LIBEXPT_EXPERIMENT_PACKETS_H

#include "libexpt/api/records.h"
#include "libexpt/format.h"

#define PACKET_MAX 65535

struct packet {
	const unsigned char *bytes; /* including the head; valid until the next call */
	uint32_t size;		    /* at least the size of the head */
	uint32_t type;
	uint64_t offset;
};

struct packet_file {
	struct expt *expt; /* its damage list gets the damage found; NULL: only noted */
	bool has_damage;
	char name[32];
	int fd;
	unsigned char *window; /* the bytes [start, start + length) of the file */
	uint64_t start;
	size_t length;
	uint64_t begin; /* where reading began */
	bool is_last_window;
	uint64_t position, limit; /* no packet begins at limit or after it */
	bool has_gap;		  /* no packet since gap */
	uint64_t gap;
};

/* Returns 1, or 0 and nothing to close if there is no such file. The struct need not be
 * initialized. */
int packet_file_open(struct packet_file *file, struct expt *expt, const char *name,
		     struct expt_error *err);
/* Get the next packet that is not a filler: 1, 0 at the end, negative if the file cannot
 * be read. Zeros are skipped; other bytes that are not a packet are reported as damage,
 * and reading resumes after them if possible. */
int packet_file_next(struct packet_file *file, struct packet *packet,
		     struct expt_error *err);
void packet_file_close(struct packet_file *file);

/* Open the file once more, for the packets from the position to the limit of the first;
 * the position becomes the first's limit. Damage is only noted. */
int packet_file_divide(struct packet_file *first, struct packet_file *second,
		       uint64_t position);
/* Check whether the first has come to the position where the second began, and the second
 * has read on as the first would have. The first then is where the second is now;
 * otherwise it has no limit any more. */
bool packet_file_catch_up(struct packet_file *first, const struct packet_file *second);

/* Returns the next packet, and where to stop: packets that begin before that are in the
 * window. NULL: packet_file_next() has to look first. */
static inline const unsigned char *packet_file_ahead(const struct packet_file *file,
						     const unsigned char **stop)
{
	uint64_t done = file->position - file->start, last = file->length;

	if (last < PACKET_MAX || file->has_gap || file->position % 4 != 0)
		return NULL;
	last -= PACKET_MAX;
	if (last > file->limit - file->start)
		last = file->limit - file->start;
	*stop = file->window + last;
	return done < last ? file->window + done : NULL;
}

static inline uint64_t read_u64(const unsigned char *bytes)
{
	uint64_t value;

	__builtin_memcpy(&value, bytes, sizeof(value));
	return value;
}

static inline uint32_t read_u32(const unsigned char *bytes)
{
	uint32_t value;

	__builtin_memcpy(&value, bytes, sizeof(value));
	return value;
}

#endif
