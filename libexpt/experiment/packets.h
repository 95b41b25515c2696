/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packets of a block file, one after the other, whatever they contain, for records.c
 * and stacks.c. The file is read in pieces, never mapped, so truncating it does no harm.
 */
#ifndef LIBEXPT_EXPERIMENT_PACKETS_H
#define LIBEXPT_EXPERIMENT_PACKETS_H

#include "libexpt/experiment/handle.h"

struct packet {
	const unsigned char *bytes; /* including the head; valid until the next call */
	uint32_t size;		    /* at least the size of the head */
	uint32_t type;
	uint64_t offset;
};

struct packet_file {
	struct expt *expt; /* its damage list gets the damage found */
	char name[32];
	int fd;
	unsigned char *window; /* the bytes [start, start + length) of the file */
	uint64_t start;
	size_t length;
	bool is_last_window;
	uint64_t position;
	bool has_gap; /* no packet since gap */
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
