/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be recorded, and how: the same in all processes of a run. */
#ifndef COLLECTOR_SETTINGS_H
#define COLLECTOR_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* What a directory name leaves of NAME_MAX for the lineage. */
#define LINEAGE_MAX (NAME_MAX - 3)

#define COUNTERS_MAX 16

/* A counter of -h, made ready by collect. */
struct counter {
	const char *name;     /* as the user gave it */
	const char *internal; /* the processor's own name */
	int32_t cpu;	      /* <profile cpuver=> */
	uint32_t type;	      /* the next four: of struct perf_event_attr */
	uint64_t config, config1, config2;
	uint64_t period; /* events per overflow */
	uint32_t flags;	 /* COUNTER_..., see format.h */
};

/* From the environment, unchanged in all descendants; strings are ours. */
struct settings {
	const char *experiment; /* absolute path of the founder */
	bool has_directory;	/* collect has told its identity: */
	uint64_t device, inode, owner;
	const char *parameters; /* as they came, to be passed on */
	const char *preload;	/* the libraries of ours, separated by blanks */
	const char *follow_pattern;
	const char *archiver, *archive_mode; /* mode: NULL for off */
	int follow;
	uint32_t period_us;			 /* of the clock; 0: no clock data */
	uint64_t sample_period_ns;		 /* 0: none */
	uint64_t window_start_ns, window_end_ns; /* after the founder's start; 0: none */
	uint64_t limit_bytes;			 /* 0: none */
	size_t depth;				 /* of stacks */
	struct counter counters[COUNTERS_MAX];
	size_t counter_count;
	bool has_heap, has_sync, has_io;
	uint64_t smallest_block, largest_block; /* of heap tracing; largest 0: any */
	int32_t sync_threshold_us; /* shorter waits are not recorded; < 0: measured, and
				      this long */
	bool is_tracing;	   /* one of these */
	int sample_signal, pause_signal; /* 0: none */
	bool starts_paused;
	/* Known to the founder, passed on so that descendants start quickly. */
	uint64_t founder_start_ns;
	pid_t founder_pid;
	unsigned clock_mhz;
};

extern struct settings settings;

/* From the environment. False: nothing there asks for a recording. */
bool settings_read(void);
/* What the founder found out for all. */
void settings_read_run(void);
/* Is this the directory that collect has made? Others may have given its name to
 * something else. */
bool settings_mean(const struct stat *directory);
/* Is er_archive to see to what ends? */
static inline bool settings_ask_for_archives(void)
{
	return settings.archiver && settings.archive_mode;
}

/* A copy that lives as long as the process. */
const char *settings_keep(const char *string);

#endif
