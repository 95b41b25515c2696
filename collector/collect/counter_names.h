/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the processor's own counters, as libpfm4 knows them. */
#ifndef COLLECTOR_COLLECT_COUNTER_NAMES_H
#define COLLECTOR_COLLECT_COUNTER_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Nobody knows how often a counter without a known name counts. */
#define COUNTER_PERIOD_USUAL 1000003

struct counter_code {
	uint32_t type; /* this and the next three: of struct perf_event_attr */
	uint64_t config, config1, config2;
	bool counts_kernel;
};

/* "name~attribute=value~...": NULL, or in words why it cannot be. */
const char *counter_names_encode(struct counter_code *code, const char *name);
/* All names for this processor, if the kernel can count them. */
void counter_names_list(FILE *to);

#endif
