/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/handles.h"

#define REACH	   64 /* places that are looked at */
#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

static size_t find(const struct handles *handles, uint64_t key, size_t *empty)
{
	uint64_t first = key * MULTIPLIER >> 40;

	*empty = SIZE_MAX;
	for (size_t i = 0; i < REACH; i++) {
		size_t place = (first + i) & (handles->size - 1);

		if (handles->keys[place] == key)
			return place;
		if (handles->keys[place] == 0 && *empty == SIZE_MAX)
			*empty = place;
	}
	return SIZE_MAX;
}

size_t handles_find(const struct handles *handles, uint64_t key)
{
	size_t empty;

	return key ? find(handles, key, &empty) : SIZE_MAX;
}

size_t handles_add(struct handles *handles, uint64_t key)
{
	size_t empty, place;

	if (key == 0)
		return SIZE_MAX;
	place = find(handles, key, &empty);
	if (place != SIZE_MAX)
		return place;
	if (empty != SIZE_MAX)
		handles->keys[empty] = key;
	return empty;
}

void handles_remove(struct handles *handles, size_t place)
{
	handles->keys[place] = 0;
}
