/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of collect: options.c and signals.c fill the settings, target.c finds the
 * program, experiment.c makes the directory, environment.c passes the settings to the
 * collector; main.c calls them in order. */
#ifndef COLLECTOR_COLLECT_COLLECT_H
#define COLLECTOR_COLLECT_COLLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/collect/counters.h"
#include "collector/common/sanitizer.h"
#include "libexpt/expt.h"

/* Exit statuses that shells use for a command, in addition to those of cli.h. */
#define STATUS_CANNOT_RUN 126
#define STATUS_NOT_FOUND  127

#define COMMENTS_MAX 10

struct settings {
	uint64_t clock_period_us; /* 0: off */
	bool has_clock;		  /* -p was given */
	struct counter_list counters;
	bool has_heap, has_sync, has_io;
	uint64_t smallest_block, largest_block; /* of -H; largest 0: any */
	int sync_threshold_us;	 /* SYNC_CALIBRATE, or the shortest wait recorded */
	uint64_t sample_seconds; /* 0: off */
	uint64_t limit_mb;	 /* 0: none */
	bool has_window;
	uint64_t window_start_ms, window_end_ms; /* end 0: until the program ends */
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
	char **target; /* program and arguments, NULL-terminated */
};

/* Returns CLI_OK with the settings filled, or prints a message and returns the exit
 * status. Texts are borrowed from argv, but not the counters: options_release() them. */
int options_parse(struct settings *settings, char *argv[], const char *usage);
void options_release(struct settings *settings);

/* Find the signal named by the first length characters of an option's value; otherwise
 * print a message. */
int signal_parse(int *signal, char letter, const char *value, size_t length);

struct target {
	char *path; /* path for exec; freed by the caller */
	bool is_script;
	char sanitizer[SANITIZER_NAME_SIZE]; /* run-time library that it needs, or "" */
	bool is_static;			     /* the program or its interpreter */
};

/* Find the program as a shell does, and check whether it can be recorded: CLI_OK, or
 * STATUS_NOT_FOUND or STATUS_CANNOT_RUN with a message printed. */
int target_find(struct target *target, const char *name);

struct installation {
	char *plugins; /* directory of libcollector.so and its companions, absolute */
	char *archiver, *remover; /* er_archive and er_rm, absolute */
};

struct experiment {
	char *path;	/* for messages; relative if the user gave it so */
	char *absolute; /* for the collector */
	int parent;	/* the directory that contains it */
	int dir;	/* the directory itself, once made; used from then on */
};

#define EXPERIMENT_INIT                 \
	{                               \
		.parent = -1, .dir = -1 \
	}

/* Choose the name that would be used now, without making anything. Prints errors and
 * returns a status, as do the functions below. */
int experiment_choose(struct experiment *experiment, const struct settings *settings);
/* Remove the experiment of that name, if the settings ask for it. */
int experiment_overwrite(const struct experiment *experiment,
			 const struct settings *settings,
			 const struct installation *installation);
/* Make the directory (under the next number if another collect was faster) and the notes,
 * and add the experiment to its group. */
int experiment_create(struct experiment *experiment, const struct settings *settings);
/* Undo experiment_create() if the target could not be started. */
void experiment_discard(const struct experiment *experiment);
void experiment_release(struct experiment *experiment);

/* Find the files that belong to this collect, in the build tree or as installed. */
int installation_find(struct installation *installation);
void installation_release(struct installation *installation);

/* Returns the number of frames kept of a stack, which the environment may set. */
uint64_t environment_stack_depth(void);
/* Returns the parameter string of format.h, to be freed; NULL: out of memory. */
char *environment_parameters(const struct settings *settings,
			     const struct installation *installation,
			     const struct experiment *experiment);
/* Put everything that the collector needs into the environment of this process, for the
 * process with this pid. */
int environment_set(const struct settings *settings,
		    const struct installation *installation,
		    const struct experiment *experiment, const struct target *target,
		    pid_t founder);

#endif
