/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz data.frameinfo: frames, links between lists, chains and cycles. The first byte
 * selects the word size. */
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct expt *expt;
	struct expt_stack stack;
	volatile uint64_t sum = 0;
	uint64_t uid;

	if (size == 0)
		return 0;
	expt = open_file_experiment("<event kind=\"run\" tstamp=\"1.0\"/>",
				    "data.frameinfo", bytes + 1, size - 1);
	expt->log->info.word_bits = bytes[0] & 1 ? 32 : 64;
	/* Take any 8 bytes as a uid: its stack must be readable, and its index within the
	 * limit. */
	for (size_t i = 1; i + 8 <= size; i += 4) {
		memcpy(&uid, bytes + i, sizeof(uid));
		if (expt_stack(expt, uid, &stack, NULL) <= 0)
			continue;
		if (stack.index >= expt_stack_limit(expt))
			abort();
		for (size_t j = 0; j < stack.count; j++)
			sum += stack.pcs[j];
	}
	(void)sum;
	close_file_experiment(expt);
	return 0;
}
