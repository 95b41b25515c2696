/* SPDX-License-Identifier: Apache-2.0 */
/* If there is no room for a request, its message is not counted. */
#include "collector/mpi/requests.h"

#include "collector/mpi/handles.h"

#define SIZE 65536

static uint64_t keys[SIZE];
static struct request requests[SIZE];
static struct handles handles = { ATOMIC_FLAG_INIT, SIZE, keys };

void requests_put(uint64_t handle, const struct request *request)
{
	size_t place;

	handles_lock(&handles);
	place = handles_add(&handles, handle);
	if (place != SIZE_MAX)
		requests[place] = *request;
	handles_unlock(&handles);
}

bool requests_start(uint64_t handle, struct request *request)
{
	size_t place;

	handles_lock(&handles);
	place = handles_find(&handles, handle);
	if (place != SIZE_MAX) {
		requests[place].is_active = true;
		*request = requests[place];
	}
	handles_unlock(&handles);
	return place != SIZE_MAX;
}

bool requests_take(uint64_t handle, struct request *request)
{
	bool is_found = false;
	size_t place;

	handles_lock(&handles);
	place = handles_find(&handles, handle);
	if (place != SIZE_MAX) {
		*request = requests[place];
		is_found = request->is_active && !request->is_send;
		requests[place].is_active = false;
		if (!request->is_kept)
			handles_remove(&handles, place);
	}
	handles_unlock(&handles);
	return is_found;
}

void requests_forget(uint64_t handle)
{
	size_t place;

	handles_lock(&handles);
	place = handles_find(&handles, handle);
	if (place != SIZE_MAX)
		handles_remove(&handles, place);
	handles_unlock(&handles);
}
