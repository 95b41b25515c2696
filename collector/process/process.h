/* SPDX-License-Identifier: Apache-2.0 */
/* This process as it is recorded. A fork's child starts it anew. */
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
	/* CPU time of before the first thing that this library did in it, until that is
	 * recorded. */
	_Atomic uint64_t past_ns;
	bool began_unseen;   /* a child that was found out at its first event */
	const char *command; /* arguments, joined by blanks; "(fork)" */
	/* By the program or a signal; a child of fork goes on so. */
	_Atomic bool is_paused;
	_Atomic uint64_t resumed_ns; /* what is older belongs to a pause */
	/* The founder's directory where it is held; -1: see access.h. */
	_Atomic int founder_fd;
	_Atomic bool is_suspended; /* an exec is under way */
	_Atomic bool is_closed;	   /* the last sample has been taken */
};

extern struct process process;

bool collector_is_recording(void);
/* It has not ended, and is not one that is only passed through. */
bool collector_has_experiment(void);
/* Samples go on when a limit has ended the recording of events. */
bool collector_takes_samples(void);
bool collector_is_founder(void);
/* Nothing may be handed out: an exec is under way. */
bool collector_is_suspended(void);

#endif
