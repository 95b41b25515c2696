/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz the code of dynamic functions: what is found lies in the file. */
#include <stdlib.h>

#include "libexpt/objects/dyntext.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct dyntext_key keys[] = {
		{ 0x7000, 0, UINT64_MAX }, { 0x7000, 5, 6 }, { 0, 0, 0 }, { 0x8000, 1, 2 }
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		size_t found_size;
		const unsigned char *found =
			dyntext_find(bytes, size, &keys[i], &found_size);

		if (!found && found_size > 0)
			abort();
		if (found && (found < bytes || found > bytes + size ||
			      found_size > (size_t)(bytes + size - found)))
			abort();
	}
	return 0;
}
