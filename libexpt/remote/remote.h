/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends or receives experiments as one stream, to or from a command on another host:
 * er_import or er_export, or tar where those are missing. No shell is started here, and
 * the one over there gets every name in quotes.
 *
 * The steps, in this order; between them cli/transfer/ asks its user what to do:
 *
 *	to send		remote_open_target(), remote_add() for each operand,
 *remote_start(), remote_connect(), remote_tools(), remote_existing_name(), remote_drop(),
 *			remote_finish_move(), remote_send(), remote_arrived_name()
 *	to receive	remote_open_source(), remote_add() for each operand,
 *remote_start(), remote_connect(), remote_tools(), remote_existing_name(),
 *remote_receive()
 */
#ifndef LIBEXPT_REMOTE_REMOTE_H
#define LIBEXPT_REMOTE_REMOTE_H

#include "libexpt/expt.h"

struct remote;

struct remote_options {
	/* The command that reaches the host, in words as of rsync(1); NULL: ssh */
	const char *shell;
	int messages;	     /* a descriptor for its standard error; -1: the caller's */
	bool is_quiet;	     /* no warnings from over there */
	bool move;	     /* remove sources that have arrived */
	bool move_even_live; /* even those still being recorded */
	bool may_ask; /* ssh may ask for a password: no timeout until the first answer */
	/* Timeout of an answer in seconds; 0: 60. Work may take ten times as long. */
	unsigned timeout_s;
	/* NULL, or a flag: if it is not 0, reading ends with -EINTR */
	const volatile int *stop;
};
/* Create a handle. -EINVAL: no host, one that begins with '-', or not a directory. */
int remote_open_target(struct remote **out, const char *place,
		       const struct remote_options *options, struct expt_error *err);
int remote_open_source(struct remote **out, const char *operand,
		       const struct remote_options *options, struct expt_error *err);
void remote_close(struct remote *remote);

/* Add an experiment or a group; operands are numbered from 0. An operand to be sent is
 * checked as by a dry run of expt_export(). One to be received is "host:path" on the same
 * host. A failure leaves the other operands as they were. */
int remote_add(struct remote *remote, const char *operand,
	       const struct expt_export_options *options, struct expt_error *err);

/* remote_start() starts the command and returns immediately, remote_connect() waits for
 * its answer. -EBADMSG: it failed, with a message on its standard error; -ETIMEDOUT: it
 * was silent for too long, and was ended. The functions below fail in the same ways. */
int remote_start(struct remote *remote, struct expt_error *err);
int remote_connect(struct remote *remote, struct expt_error *err);
/* Make the call fail that waits for the other side. Can be called from any thread. */
void remote_stop(struct remote *remote);

/* The programs that do the work over there. */
enum remote_tools {
	REMOTE_TOOLS_ERKIT,
	REMOTE_TOOLS_TAR,	     /* with sha256sum: cannot replace or rename */
	REMOTE_TOOLS_TAR_UNVERIFIED, /* without checksums: moves are refused */
};
enum remote_tools remote_tools(const struct remote *remote);
/* Returns the nth name of an operand that is taken over there or, when receiving, that
 * exists there; NULL: there are no more. */
const char *remote_existing_name(const struct remote *remote, size_t operand, size_t n);
/* Leave the operand where it is. When receiving, call it before remote_start(). */
void remote_drop(struct remote *remote, size_t operand);

/* Finish a move that was interrupted. Returns 1 if the operand was already complete over
 * there under the taken name; it has now been removed here, and is dropped. 0: it was not
 * complete, or that cannot be found out. */
int remote_finish_move(struct remote *remote, size_t operand, struct expt_error *err);

/* Transfer the stream, with options for both sides. A sent experiment appears over there
 * when it is verified and durable. A failure may concern the last operands only: see
 * remote_arrived_name(). */
int remote_send(struct remote *remote, const struct expt_export_options *giving,
		const struct expt_import_options *taking, struct expt_error *err);
int remote_receive(struct remote *remote, const struct expt_export_options *giving,
		   const struct expt_import_options *taking, struct expt_error *err);
/* Returns the name that a sent operand has over there, or NULL if its arrival was not
 * reported. */
const char *remote_arrived_name(const struct remote *remote, size_t operand);

#endif
