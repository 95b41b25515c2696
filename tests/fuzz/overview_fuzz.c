/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz the overview: the first byte selects the word size, the rest are records. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/experiment/log.h"
#include "libexpt/experiment/samples.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char text[] = "<event kind=\"run\" tstamp=\"1.0\"/>"
				   "<event kind=\"sample\" id=\"1\" label=\"x\"/>";
	struct expt *expt = calloc(1, sizeof(*expt));

	if (!expt)
		abort();
	expt->folder.dir = -1;
	expt->log = log_new();
	expt->samples = sample_table_new();
	if (!expt->log || !expt->samples)
		abort();
	log_parse(expt->log, expt, "log.xml", text, strlen(text), NULL);
	if (size > 0) {
		expt->log->info.word_bits = bytes[0] & 1 ? 32 : 64;
		overview_parse(expt, bytes + 1, size - 1);
	}
	for (size_t i = 0; i < expt_sample_count(expt); i++)
		if (!expt_sample(expt, i)->start_label ||
		    !expt_sample(expt, i)->end_label)
			abort();
	expt_close(expt);
	return 0;
}
