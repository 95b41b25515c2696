/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz log.xml: its XML, its elements, its declarations. */
#include <stdint.h>
#include <stdlib.h>

#include "libexpt/experiment/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct expt *expt = calloc(1, sizeof(*expt));
	volatile uint64_t used = 0; /* keeps the calls from being optimized away */

	if (!expt)
		abort();
	expt->folder.dir = -1;
	expt->log = log_new();
	if (!expt->log)
		abort();
	log_parse(expt->log, expt, "log.xml", bytes, size, NULL);
	for (size_t i = 0; i < expt_event_count(expt); i++)
		used += expt_event_attribute(expt_event(expt, i), "lineage") != NULL;
	for (int data = 0; data < EXPT_DATA_COUNT; data++)
		used += expt_has_data(expt, (enum expt_data)data);
	used += expt_clock_period_us(expt) + (uint64_t)expt_clock_states(expt);
	for (size_t i = 0; i < expt_damage_count(expt); i++)
		used += (unsigned char)*expt_damage(expt, i);
	(void)used;
	expt_close(expt);
	return 0;
}
