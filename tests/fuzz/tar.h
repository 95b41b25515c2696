/* SPDX-License-Identifier: Apache-2.0 */
/* Turns changed bytes of a tar archive into one that a reader still accepts. */
#ifndef TESTS_FUZZ_TAR_H
#define TESTS_FUZZ_TAR_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK		512
#define CHECKSUM_OFFSET 148

/* Give every tar header the checksum of its changed bytes, because readers check it
 * first. */
static inline void mend_headers(uint8_t *bytes, size_t size)
{
	for (size_t at = 0; size - at >= BLOCK; at += BLOCK) {
		uint8_t *header = bytes + at;
		unsigned sum = 0;
		char text[8];

		if (memcmp(header + 257, "ustar", 5) != 0)
			continue;
		memset(header + CHECKSUM_OFFSET, ' ', sizeof(text));
		for (size_t i = 0; i < BLOCK; i++)
			sum += header[i];
		snprintf(text, sizeof(text), "%06o", sum);
		memcpy(header + CHECKSUM_OFFSET, text, sizeof(text) - 1);
	}
}

#endif
