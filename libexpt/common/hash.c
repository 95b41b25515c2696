/* SPDX-License-Identifier: Apache-2.0 */
/* XXH3-128, compiled in: a program that hashes nothing then loads no library for it. */
#include "libexpt/common/hash.h"

#include <assert.h>
#include <string.h>

#include "libexpt/base/hex.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static_assert(sizeof(XXH3_state_t) <= sizeof(struct hash), "room for the state");
static_assert(_Alignof(XXH3_state_t) <= _Alignof(struct hash), "alignment of the state");

void hash_init(struct hash *hash)
{
	XXH3_128bits_reset((XXH3_state_t *)hash);
}

void hash_update(struct hash *hash, const void *bytes, size_t length)
{
	if (length > 0)
		XXH3_128bits_update((XXH3_state_t *)hash, bytes, length);
}

void hash_digest(const struct hash *hash, unsigned char digest[HASH_SIZE])
{
	XXH128_canonical_t canonical;

	XXH128_canonicalFromHash(&canonical,
				 XXH3_128bits_digest((const XXH3_state_t *)hash));
	memcpy(digest, canonical.digest, HASH_SIZE);
}

void hash_text(char text[HASH_TEXT_SIZE], const unsigned char digest[HASH_SIZE])
{
	hex_text(text, digest, HASH_SIZE);
}
