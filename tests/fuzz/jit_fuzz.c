/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz perf maps and jitdump files: whatever one contains, what is found at an address is
 * there. */
#include <stdlib.h>

#include "libexpt/jit/files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(const struct jit_codes *codes, uint64_t address)
{
	for (uint64_t time_ns = 0; time_ns < 3000; time_ns += 1000) {
		const struct jit_code *code = jit_codes_find(codes, address, time_ns);

		if (code && (code->address > address || code->end <= address))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct jit_codes codes = { 0 };

	jit_file_begins(bytes, size);
	if (jit_file_read(&codes, bytes, size, 1000) < 0 || jit_codes_arrange(&codes) < 0)
		abort();
	for (size_t i = 0; i < codes.count; i++) {
		check(&codes, codes.items[i].address);
		check(&codes, codes.items[i].end - 1);
		check(&codes, codes.items[i].end);
		if (!jit_codes_find(&codes, codes.items[i].address, 0))
			abort();
	}
	jit_codes_release(&codes);
	return 0;
}
