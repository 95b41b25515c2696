/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of messages that will be received. */
#ifndef COLLECTOR_MPI_REQUESTS_H
#define COLLECTOR_MPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

/* bytes: how many are expected. */
void requests_put(uint64_t request, int64_t bytes);
/* Forget it; false: it is not one of those. */
bool requests_take(uint64_t request, int64_t *bytes);

#endif
