/* SPDX-License-Identifier: Apache-2.0 */
/* The hash of a symbol's name in the table DT_GNU_HASH of a load object. */
#ifndef COLLECTOR_BASE_GNU_HASH_H
#define COLLECTOR_BASE_GNU_HASH_H

#include <stdint.h>

static inline uint32_t gnu_hash(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

#endif
