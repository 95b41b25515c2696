/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions and messages of a transfer to or from another host; the library does the
 * transfer. send.c and receive.c have the steps of one direction each.
 */
#ifndef LIBEXPT_CLI_TRANSFER_TRIP_H
#define LIBEXPT_CLI_TRANSFER_TRIP_H

#include "libexpt/cli/listener.h"
#include "libexpt/cli/transfer/private.h"
#include "libexpt/remote/remote.h"

/* An operand that can be sent or requested. */
struct cargo {
	const char *operand;
	char *counts; /* "5 files, 20 bytes", or NULL */
	bool is_dropped;
};

struct trip {
	const struct cli_transfer *transfer;
	const char *place; /* the destination, there or here */
	char *host;
	struct remote *remote;
	struct listener listener;
	struct expt_export_options giving;
	struct expt_import_options taking;
	struct cargo *cargo;
	size_t count, finishing;
	int status;
};

/* Begin a trip whose transfer and place are set; operand has its host. Returns CLI_OK, or
 * the status to end with. trip_end() releases the trip in any case, and returns its
 * status. */
int trip_begin(struct trip *trip, const char *operand, int count, bool is_sending);
int trip_end(struct trip *trip);
/* Start the command over there and wait for its answer. Returns false after a message. */
bool trip_start(struct trip *trip);
/* Make a library call that waits for the other side. The listener gets the signals until
 * it returns. */
int trip_wait(struct trip *trip, int (*call)(struct trip *trip, struct expt_error *err));

void trip_fail(struct trip *trip);
void trip_fail_with(struct trip *trip, const struct expt_error *err);

/* Add an operand. Takes counts, which may be NULL. */
void trip_add(struct trip *trip, const char *operand, char *counts);
/* Returns whether all operands were dropped. */
bool trip_is_empty(const struct trip *trip);
/* Decide about a taken name. Returns false, perhaps after a message, to leave the operand
 * out. */
bool trip_confirm_name(struct trip *trip, const char *name);

/* Returns place/name in a new string. */
char *trip_join(const char *place, const char *name);
/* Report a transfer that was done or would be, if the options want that. */
void trip_say(const struct trip *trip, const char *from, const char *to,
	      const char *counts);
/* Warn if programs other than erkit's do the work over there. */
void trip_say_tools(const struct trip *trip);
struct expt_progress *trip_begin_progress(const struct trip *trip);

#endif
