/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the processor's own counters, as libpfm4 knows them. */
#ifndef COLLECTOR_COUNTERS_NAMES_H
#define COLLECTOR_COUNTERS_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Default interval of counters that are not well known: their rate is unknown. */
#define COUNTER_PERIOD_USUAL 1000003

struct counter_code {
	uint32_t type; /* this and the next three: of struct perf_event_attr */
	uint64_t config, config1, config2;
	bool counts_kernel;
};

/* Encode "name~attribute=value~...". Returns NULL, or why it is impossible. */
const char *counter_names_encode(struct counter_code *code, const char *name);
/* List all names for this processor, if the kernel can count them. */
void counter_names_list(FILE *to);

#endif
