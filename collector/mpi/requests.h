/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of requests, and of messages that were probed. */
#ifndef COLLECTOR_MPI_REQUESTS_H
#define COLLECTOR_MPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#define ANY_RANK (-2) /* a message from any rank will do */

struct request {
	uint64_t communicator; /* its handle, to find a rank of it by */
	uint64_t communicator_number;
	int64_t bytes;	/* of the message, or how many there may be */
	int32_t peer;	/* in MPI_COMM_WORLD; -1: unknown; or ANY_RANK */
	int32_t tag;	/* of a message that is sent */
	bool is_send;	/* only a persistent one */
	bool is_kept;	/* it is persistent: it is started again and again */
	bool is_active; /* a message will come */
};

void requests_put(uint64_t handle, const struct request *request);
/* Start a persistent request. Returns false if it is not known. */
bool requests_start(uint64_t handle, struct request *request);
/* A message has come. Returns false if there was none to come. */
bool requests_take(uint64_t handle, struct request *request);
void requests_forget(uint64_t handle);

#endif
