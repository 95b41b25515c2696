/* SPDX-License-Identifier: Apache-2.0 */
/* A recording of the kernel, as the settings ask for it. */
#ifndef COLLECTOR_ER_KERNEL_PLAN_H
#define COLLECTOR_ER_KERNEL_PLAN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAN_COUNTERS_MAX 16

struct plan {
	enum plan_scope {
		PLAN_ALL_PROCESSES,
		PLAN_OWN_PROCESSES, /* of this user, which run already, and their own */
		PLAN_OWN_IN_USER_MODE,
		PLAN_SCOPES,
	} scope;
	int directory;	     /* the experiment's */
	const char *command; /* er_kernel's own, as one text */
	uint32_t period_us;  /* of the clock; 0: none */
	struct plan_counter {
		const char *name, *internal;
		int cpu;
		uint32_t type; /* the next four: of struct perf_event_attr */
		uint64_t config, config1, config2;
		uint64_t period; /* events per record */
		bool is_user_only;
		unsigned precision;
	} counters[PLAN_COUNTERS_MAX];
	size_t counter_count;
	bool has_idle; /* idle processors are recorded, too */
	enum plan_follow {
		PLAN_FOLLOW_NONE,
		PLAN_FOLLOW_LOAD, /* and its descendants */
		PLAN_FOLLOW_ALL,
		PLAN_FOLLOW_MATCHING,
	} follow; /* the processes with experiments of their own */
	const char *follow_regex;
	bool is_archived;
	uint64_t sample_period_ns;		 /* 0: none */
	uint64_t window_start_ns, window_end_ns; /* since the beginning; 0: none */
	uint64_t limit_bytes;			 /* 0: none */
	char *const *load;			 /* words; empty: none */
	const char *load_path;
	sigset_t mask;	   /* of signals that it blocks */
	uint64_t quiet_ns; /* before and after the load */
};

#endif
