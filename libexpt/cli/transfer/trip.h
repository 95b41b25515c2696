/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is asked and said when experiments go to another host or come from one; the
 * library does it. send.c and receive.c take the steps of one direction each.
 */
#ifndef LIBEXPT_CLI_TRANSFER_TRIP_H
#define LIBEXPT_CLI_TRANSFER_TRIP_H

#include "libexpt/cli/listener.h"
#include "libexpt/cli/transfer/private.h"
#include "libexpt/remote/remote.h"

/* An operand that is fit to be sent or asked for. */
struct cargo {
	const char *operand;
	char *counts; /* "5 files, 20 bytes", or NULL */
	bool is_dropped;
};

struct trip {
	const struct cli_transfer *transfer;
	const char *place; /* where it goes, there or here */
	char *host;
	struct remote *remote;
	struct listener listener;
	struct expt_export_options giving;
	struct expt_import_options taking;
	struct cargo *cargo;
	size_t count, finishing;
	int status;
};

/* The place of transfer is that of the trip; operand has its host. CLI_OK, or the status
 * to end with; trip_end() releases the trip in any case, and returns its status. */
int trip_begin(struct trip *trip, const char *operand, int count, bool is_sending);
int trip_end(struct trip *trip);
/* Start the command over there, and wait for its answer; false: said why. */
bool trip_start(struct trip *trip);
/* A library call that waits for the other side: signals are the listener's meanwhile. */
int trip_wait(struct trip *trip, int (*call)(struct trip *trip, struct expt_error *err));

void trip_fail(struct trip *trip);
void trip_fail_with(struct trip *trip, const struct expt_error *err);

/* counts, which may be NULL, is given away. */
void trip_add(struct trip *trip, const char *operand, char *counts);
/* Whether nothing is left of what was added. */
bool trip_is_empty(const struct trip *trip);
/* What to do about a taken name: false, and perhaps a message: leave the operand out. */
bool trip_may_take(struct trip *trip, const char *name);

/* place/name in a new string. */
char *trip_join(const char *place, const char *name);
/* One has gone from here to there, or would: said when that was asked for. */
void trip_say(const struct trip *trip, const char *from, const char *to,
	      const char *counts);
/* A warning where other programs than ours do the work over there. */
void trip_say_tools(const struct trip *trip);
struct expt_progress *trip_begin_progress(const struct trip *trip);

#endif
