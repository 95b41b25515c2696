/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checksum of copies: XXH3, 128 bits, updated piece by piece while files are copied.
 * Only hash.c includes xxhash. xxh128sum(1) prints the same text.
 */
#ifndef LIBEXPT_COMMON_HASH_H
#define LIBEXPT_COMMON_HASH_H

#include <stddef.h>

#define HASH_SIZE      16
#define HASH_TEXT_SIZE 33 /* 32 hex digits and the NUL */

/* Storage for the library's state, so that hashing needs no allocation. */
struct hash {
	_Alignas(64) unsigned char state[640];
};

void hash_init(struct hash *hash);
void hash_update(struct hash *hash, const void *bytes, size_t length);
/* Get the digest of all bytes so far; more may follow. */
void hash_digest(const struct hash *hash, unsigned char digest[HASH_SIZE]);
void hash_text(char text[HASH_TEXT_SIZE], const unsigned char digest[HASH_SIZE]);

#endif
