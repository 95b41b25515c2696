/* SPDX-License-Identifier: Apache-2.0 */
/* Room of a thread for what one call needs. It grows, and stays. */
#ifndef COLLECTOR_MPI_ROOM_H
#define COLLECTOR_MPI_ROOM_H

#include <stddef.h>
#include <stdint.h>

/* A message between two ranks. */
struct message {
	int64_t bytes;
	uint64_t communicator; /* its number */
	int32_t peer, tag;
	int32_t is_received;
};

struct room {
	size_t count;		  /* there is room for so many */
	uint64_t *handles;	  /* of requests that are to be completed */
	char *statuses;		  /* that the program does not want */
	struct message *messages; /* after the first one of the call */
};

/* Returns the room of this thread, for count of each if there is memory. */
const struct room *room_make(size_t count);

#endif
