/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of -h, from the user's words to the kernel's attributes. */
#ifndef COLLECTOR_COUNTERS_COUNTERS_H
#define COLLECTOR_COUNTERS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTERS_MAX 16 /* the collector's limit */

struct counter {
	char *name;	/* as the user gave it, without its interval */
	char *internal; /* the processor's own name; "" for the well-known ones */
	int cpu;	/* processor number as in format.h; 0: none */
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

/* Returns true for the one that watches memory: its interval is a time. */
bool counter_is_watch(const struct counter *counter);
/* Add the counters of one -h. Returns CLI_OK, or CLI_USAGE with a message printed. */
int counters_add(struct counter_list *list, const char *words);
/* Ask the kernel for all of them together. Returns CLI_OK, or CLI_FAILED with a message
 * printed. */
int counters_check(struct counter_list *list);
void counters_release(struct counter_list *list);
/* Returns a descriptor of the counter, or -1 with errno. If counting in the kernel is not
 * permitted, the counter is restricted to user space. group: leader of the group that the
 * counter joins, or -1. */
int counter_open(struct counter *counter, int group);

#endif
