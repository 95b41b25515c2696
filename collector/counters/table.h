/* SPDX-License-Identifier: Apache-2.0 */
/* Counters that have the same name on every machine. */
#ifndef COLLECTOR_COUNTERS_TABLE_H
#define COLLECTOR_COUNTERS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct known_counter {
	const char *name, *title;
	const char *event; /* perf's name for it, if different, or NULL */
	const char *unit;
	uint32_t type;
	uint64_t config;
	uint64_t period; /* for "on"; "hi" is a tenth of it, "lo" ten times as much */
	bool has_address;
};

extern const struct known_counter known_counters[]; /* ends with a NULL name */

const struct known_counter *known_counter_find(const char *name);
/* Find it by what the kernel calls it. */
const struct known_counter *known_counter_of(uint32_t type, uint64_t config);
/* Returns true for counters of the processor; the others are the kernel's, or ours. */
bool known_counter_is_hardware(const struct known_counter *counter);

/* Returns the number of this machine's processor in experiments; 0: it has none. */
int counter_cpu(void);

#endif
