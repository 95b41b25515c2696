/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a recording, from the command line of collect or er_kernel. */
#ifndef COLLECTOR_LAUNCH_SETTINGS_H
#define COLLECTOR_LAUNCH_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/counters/counters.h"
#include "collector/target/java.h"
#include "libexpt/expt.h"
#include "libexpt/format.h"

#define COMMENTS_MAX 10
#define GIVEN_MAX    64

enum action {
	ACTION_RECORD,	  /* start the program and record it */
	ACTION_ATTACH,	  /* -P: record a process that runs already */
	ACTION_PREPARE,	  /* --prepare: for a debugger that starts or has a process */
	ACTION_LIBRARIES, /* --libraries */
	ACTION_ARCHIVE,	  /* --archive: of which a debugger has ended the recording */
};

/* The interface of the MPI library that the program uses. */
enum mpi { MPI_OFF, MPI_ANY, MPI_OPENMPI, MPI_MPICH };

struct settings {
	enum action action;
	pid_t process; /* that runs already; 0: none */
	bool uses_gdb; /* --gdb */
	struct {
		char letter;
		const char *value;
	} given[GIVEN_MAX]; /* the options that have a value, as words */
	size_t given_count;
	uint64_t clock_period_us; /* 0: off */
	bool has_clock;		  /* -p was given */
	struct counter_list counters;
	bool has_heap, has_sync, has_io, has_mpi;
	bool has_races, has_deadlocks;		/* -r ... */
	enum deadlock_action on_deadlock;	/* ... and what to do in one */
	bool has_threads;			/* -r was given */
	uint64_t smallest_block, largest_block; /* of -H; largest 0: any */
	struct java java; /* -j and -J, and what follows from them */
	enum mpi mpi;	  /* -M */
	bool leaves_mpi;  /* -m off */
	struct {
		const char *experiment; /* NULL: this process is no rank of a job */
		const char *number;	/* decimal digits */
		const char *host;	/* of the founder; not terminated */
		size_t host_length;
		pid_t founder;
		uint64_t start_ns; /* of the founder, CLOCK_MONOTONIC_RAW */
	} rank;
	int sync_scope;		 /* SYNC_SCOPE_...: bits */
	int sync_threshold_us;	 /* SYNC_CALIBRATE, or the shortest wait recorded */
	uint64_t sample_seconds; /* 0: off */
	uint64_t limit_mb;	 /* 0: none */
	bool has_window;
	uint64_t window_start_ms, window_end_ms; /* end 0: until the program ends */
	int sample_signal, pause_signal;	 /* 0: none */
	bool starts_recording;			 /* before the first pause signal */
	bool has_follow;			 /* -F was given */
	int follow;				 /* 0, FOLLOW_ALL or FOLLOW_MATCHING */
	const char *follow_regex;
	const char *archive_word;
	enum expt_archive_mode archive;
	const char *name, *directory, *group; /* NULL: not given */
	const char *stem;		      /* of a name that is not given */
	const char *number;		      /* of that name, if it is free; NULL: 1 */
	const char *comments[COMMENTS_MAX];
	size_t comment_count;
	bool overwrites;	/* an experiment of that name */
	uint64_t quiet_seconds; /* of er_kernel, before and after the load */
	bool has_idle;		/* of er_kernel: idle processors are recorded, too */
	bool is_dry_run, is_verbose, stops_after_exec;
	char **target; /* program and arguments, NULL-terminated; empty if action has none
			*/
};

#endif
