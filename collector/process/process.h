/* SPDX-License-Identifier: Apache-2.0 */
/* This process, as recorded. A child of fork starts with a fresh one. */
#ifndef COLLECTOR_PROCESS_PROCESS_H
#define COLLECTOR_PROCESS_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/common/settings.h"

enum collector_state {
	COLLECTOR_OFF,	   /* not to be recorded; nothing is passed on */
	COLLECTOR_CARRIED, /* not recorded, but descendants may be */
	COLLECTOR_ON,
	COLLECTOR_STOPPED, /* no more events; log and samples go on */
	COLLECTOR_ENDED,
};

struct process {
	_Atomic int state; /* enum collector_state */
	pid_t pid;
	char lineage[LINEAGE_MAX + 1]; /* "" in the founder */
	uint64_t start_ns;
	uint64_t forked_ns; /* its parent began to make it; 0: not by fork, or unseen */
	/* CPU time used before this library first ran in the process, until it is
	 * recorded */
	_Atomic uint64_t past_ns;
	bool began_unseen;    /* a child discovered at its first event */
	bool leaves_archives; /* to the debugger, which asks for the end */
	bool is_requested;    /* the recording began when a debugger asked for it */
	const char *command;  /* arguments joined by blanks; "(fork)" in a child */
	/* by the program or a signal; a child of fork inherits it */
	_Atomic bool is_paused;
	_Atomic uint64_t resumed_ns; /* anything older belongs to a pause */
	/* descriptor of the founder's directory if held, else -1; see access.h */
	_Atomic int founder_fd;
	_Atomic bool is_suspended; /* an exec is under way */
	_Atomic bool is_closed;	   /* the last sample has been taken */
};

extern struct process process;

bool collector_is_recording(void);
/* Returns true unless the recording has ended or the process is only passed through. */
bool collector_has_experiment(void);
/* Samples continue after a limit has ended the recording of events. */
bool collector_takes_samples(void);
bool collector_is_founder(void);
/* While suspended for an exec no blocks may be handed out. */
bool collector_is_suspended(void);

#endif
