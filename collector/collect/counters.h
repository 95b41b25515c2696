/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of -h: from the words of the user to what the kernel is asked for. */
#ifndef COLLECTOR_COLLECT_COUNTERS_H
#define COLLECTOR_COLLECT_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTERS_MAX 16 /* as many as the collector takes */

struct counter {
	char *name;	/* as the user gave it, without its interval */
	char *internal; /* the processor's own name; "" for the well-known ones */
	int cpu;	/* what format.h calls a processor; 0: none of them */
	uint32_t type;	/* the next four: of struct perf_event_attr */
	uint64_t config, config1, config2;
	uint64_t period; /* events per overflow */
	bool is_user_only, has_address;
	unsigned precision; /* precise_ip */
	int reg;	    /* -1: any */
};

struct counter_list {
	struct counter items[COUNTERS_MAX];
	size_t count;
	bool is_off; /* "-h off" was given */
};

/* Add the counters of one -h; CLI_OK, or CLI_USAGE with the message out. */
int counters_add(struct counter_list *list, const char *words);
/* Ask the kernel for all of them at once: CLI_OK, or CLI_FAILED with what is wrong. */
int counters_check(struct counter_list *list);
void counters_release(struct counter_list *list);
/* A descriptor of the counter, or -1 with errno. Where the kernel's share is not
 * permitted, the counter becomes one of the program alone. group: a counter that it must
 * fit in with, or -1. */
int counter_open(struct counter *counter, int group);

#endif
