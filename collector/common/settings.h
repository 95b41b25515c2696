/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a recording, the same in all processes of a run. */
#ifndef COLLECTOR_COMMON_SETTINGS_H
#define COLLECTOR_COMMON_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* The length of a lineage, so that its directory name fits in NAME_MAX. */
#define LINEAGE_MAX (NAME_MAX - 3)

#define COUNTERS_MAX 16

/* A counter of -h, prepared by collect. */
struct counter {
	const char *name;     /* as given by the user */
	const char *internal; /* the processor's own name */
	int32_t cpu;	      /* <profile cpuver=> */
	uint32_t type;	      /* the next four: from struct perf_event_attr */
	uint64_t config, config1, config2;
	uint64_t period; /* events per overflow */
	uint32_t flags;	 /* COUNTER_..., see format.h */
};

/* From the environment, unchanged in all descendants; strings are copies. */
struct settings {
	const char *experiment; /* absolute path of the founder */
	bool has_directory;	/* collect has passed its identity: */
	uint64_t device, inode, owner;
	const char *parameters; /* as received, to be passed on */
	const char *preload;	/* the collector's libraries, separated by blanks */
	const char *follow_pattern;
	const char *version;		     /* of collect, or NULL */
	const char *archiver, *archive_mode; /* mode: NULL for off */
	int follow;
	uint32_t period_us;			 /* of the clock; 0: no clock data */
	uint64_t sample_period_ns;		 /* 0: none */
	uint64_t window_start_ns, window_end_ns; /* after the founder's start; 0: none */
	uint64_t limit_bytes;			 /* 0: none */
	size_t depth, java_depth;		 /* of stacks */
	struct counter counters[COUNTERS_MAX];
	size_t counter_count;
	bool has_heap, has_sync, has_io, has_mpi, has_deadlocks, has_races;
	int on_deadlock; /* enum deadlock_action */
	bool is_rank;	 /* of an MPI job without a founder; which one: */
	uint64_t rank;
	bool without_openmp;
	bool has_java;				/* Java machines are to load our agent */
	uint64_t smallest_block, largest_block; /* of heap tracing; largest 0: any */
	int sync_scope;				/* SYNC_SCOPE_...: bits */
	int32_t sync_threshold_us; /* shorter waits are not recorded; < 0: measured */
	bool is_tracing;	   /* heap, sync, I/O, MPI, deadlocks or races */
	int sample_signal, pause_signal; /* 0: none */
	bool starts_paused;
	/* Determined by the founder, passed on so that descendants start quickly. */
	uint64_t founder_start_ns;
	pid_t founder_pid;
	unsigned clock_mhz;
};

extern struct settings settings;

/* Take the variables from this list instead of the environment from now on: strings
 * NAME=VALUE, each ended by a zero byte; an empty one ends the list. */
void settings_use_list(const char *variables);
bool settings_are_from_list(void);
/* Returns the value of a variable of the collector's, or NULL. */
const char *settings_variable(const char *name);
/* Read the variables. False: they do not request a recording. */
bool settings_read(void);
/* Read the values that the founder passed on to all processes. */
void settings_read_run(void);
/* Is this the directory that collect made? Another user may have replaced it since. */
bool settings_mean(const struct stat *directory);
/* Shall er_archive run when a process ends? */
static inline bool settings_ask_for_archives(void)
{
	return settings.archiver && settings.archive_mode;
}

/* Returns a copy that lives as long as the process. */
const char *settings_keep(const char *string);

#endif
