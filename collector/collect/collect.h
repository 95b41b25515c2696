/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of collect: options.c and signals.c fill the settings, target.c finds the
 * program, experiment.c makes the directory, environment.c tells the collector; main.c
 * has the order. */
#ifndef COLLECTOR_COLLECT_COLLECT_H
#define COLLECTOR_COLLECT_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/collect/counters.h"
#include "collector/common/sanitizer.h"
#include "libexpt/expt.h"

/* Besides those of the other programs: what a shell says of a command. */
#define STATUS_CANNOT_RUN 126
#define STATUS_NOT_FOUND  127

#define COMMENTS_MAX 10

struct settings {
	uint64_t clock_period_us; /* 0: off */
	bool has_clock;		  /* -p was given */
	struct counter_list counters;
	bool has_heap, has_sync, has_io;
	uint64_t smallest_block, largest_block; /* of -H; largest 0: any */
	int sync_threshold_us;	 /* SYNC_CALIBRATE, or that of a wait that is recorded */
	uint64_t sample_seconds; /* 0: off */
	uint64_t limit_mb;	 /* 0: none */
	bool has_window;
	uint64_t window_start_ms, window_end_ms; /* end 0: that of the program */
	int sample_signal, pause_signal;	 /* 0: none */
	bool starts_recording;			 /* before the first pause signal */
	int follow;				 /* 0, FOLLOW_ALL or FOLLOW_MATCHING */
	const char *follow_regex;
	const char *archive_word;
	enum expt_archive_mode archive;
	const char *name, *directory, *group; /* NULL: not given */
	const char *comments[COMMENTS_MAX];
	size_t comment_count;
	bool overwrites; /* an experiment of that name */
	bool is_dry_run, is_verbose, stops_after_exec;
	char **target; /* the words behind the options, NULL-terminated */
};

/* CLI_OK with the settings filled; otherwise the message is out and this is the exit
 * status. Texts are borrowed from argv, but not the counters: options_release() them. */
int options_parse(struct settings *settings, char *argv[], const char *usage);
void options_release(struct settings *settings);

/* The signal that the first length characters of an option's value name; otherwise the
 * message is out. */
int signal_parse(int *signal, char letter, const char *value, size_t length);

struct target {
	char *path; /* what exec gets; the caller frees it */
	bool is_script;
	char sanitizer[SANITIZER_NAME_SIZE]; /* the run-time that it needs, or "" */
	bool is_static;			     /* itself, or what interprets it */
};

/* Find the program as a shell does, and see whether it can be recorded: CLI_OK, or
 * STATUS_NOT_FOUND or STATUS_CANNOT_RUN with the message out. */
int target_find(struct target *target, const char *name);

struct installation {
	char *plugins; /* the directory of libcollector.so and its companions, absolute */
	char *archiver, *remover; /* er_archive and er_rm, absolute */
};

struct experiment {
	char *path;	/* as people name it: relative when they gave it so */
	char *absolute; /* what the collector gets */
	int parent;	/* the directory that it is in */
	int dir; /* itself, once it is made: all that is done with it later is done here */
};

#define EXPERIMENT_INIT                 \
	{                               \
		.parent = -1, .dir = -1 \
	}

/* The name that would be used now, without making anything; messages and status as below.
 */
int experiment_choose(struct experiment *experiment, const struct settings *settings);
/* Remove what has the name, if the settings ask for it. */
int experiment_overwrite(const struct experiment *experiment,
			 const struct settings *settings,
			 const struct installation *installation);
/* Make the directory (under the next number if somebody was faster), the notes, the
 * group's line. */
int experiment_create(struct experiment *experiment, const struct settings *settings);
/* Undo experiment_create() when the target could not be started. */
void experiment_discard(const struct experiment *experiment);
void experiment_release(struct experiment *experiment);

/* What belongs to this collect: beside it in the build tree as well as installed. */
int installation_find(struct installation *installation);
void installation_release(struct installation *installation);

/* How many frames of a stack are kept: the environment may say it. */
uint64_t environment_stack_depth(void);
/* The parameter string of format.h; the caller frees it. NULL: out of memory. */
char *environment_parameters(const struct settings *settings,
			     const struct installation *installation,
			     const struct experiment *experiment);
/* Put all that the collector needs into our own environment, for the process with this
 * pid. */
int environment_set(const struct settings *settings,
		    const struct installation *installation,
		    const struct experiment *experiment, const struct target *target,
		    pid_t founder);

#endif
