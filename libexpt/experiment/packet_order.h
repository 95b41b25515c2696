/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packets of a block file in the order of time. Each thread wrote blocks of its own,
 * so a file consists of stretches in which time does not go back; they are merged while
 * they are read, keeping only a window of each open stretch in memory.
 */
#ifndef LIBEXPT_EXPERIMENT_PACKET_ORDER_H
#define LIBEXPT_EXPERIMENT_PACKET_ORDER_H

#include "libexpt/experiment/packets.h"

/* Adjacent packets in the order of time. */
struct packet_stretch {
	uint64_t start, end, first_ns;
};

/* A stretch being read. */
struct packet_reader {
	uint64_t time_ns; /* of the current packet */
	uint64_t offset;  /* of the current packet, in the file */
	uint64_t end;
	unsigned char *window; /* bytes of the file from start on */
	uint64_t start;
	size_t length;
};

struct packet_order {
	struct {
		struct packet_stretch *items;
		size_t count, capacity;
	} stretches;
	size_t next; /* stretch to be read */
	struct {
		struct packet_reader *items; /* a heap: earliest packet first */
		size_t count, capacity;
	} readers;
	uint64_t last_ns;   /* used while adding */
	uint32_t delivered; /* bytes of the first reader's packet; 0: not delivered */
};

typedef uint64_t (*packet_time)(void *context, const struct packet *packet);

/* Add all wanted packets first, in the order of packet_file_next(). */
bool packet_order_add(struct packet_order *order, const struct packet *packet,
		      uint64_t time_ns);
void packet_order_start(struct packet_order *order);
/* Returns 1, 0 at the end, negative if the file cannot be read. */
int packet_order_next(struct packet_order *order, struct packet_file *file,
		      packet_time time, void *context, struct packet *packet,
		      struct expt_error *err);
void packet_order_release(struct packet_order *order);

#endif
