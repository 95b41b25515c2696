/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Experiments as one stream to or from a command on another host: er_import or er_export
 * or, where those are missing, tar. No shell is started here, and the one over there gets
 * every name in quotes.
 *
 * The steps, in this order; between them cli/transfer/ asks its user what to do:
 *
 *	to send		remote_to(), remote_add() for each operand, remote_start(),
 *			remote_connect(), remote_tools(), remote_there(), remote_drop(),
 *			remote_finish_move(), remote_send(), remote_arrived()
 *	to receive	remote_from(), remote_add() for each operand, remote_start(),
 *			remote_connect(), remote_tools(), remote_there(), remote_receive()
 */
#ifndef LIBEXPT_REMOTE_REMOTE_H
#define LIBEXPT_REMOTE_REMOTE_H

#include "libexpt/expt.h"

struct remote;

struct remote_options {
	/* The command that reaches the host, in words as rsync(1) takes them; NULL:
	 * ssh. */
	const char *shell;
	int messages;	     /* the descriptor of its standard error; -1: ours */
	bool is_quiet;	     /* no warnings from over there */
	bool move;	     /* sources go when they have arrived */
	bool move_even_live; /* even those still being recorded */
	bool may_ask; /* ssh may ask a person for a password, which takes its time */
	/* How long an answer may take; 0: 60 seconds. Work may take ten times that. */
	unsigned timeout_s;
	/* NULL, or: when it is not 0, reading ends with -EINTR */
	const volatile int *stop;
};
/* -EINVAL: no host, or one that begins with '-', or no directory. */
int remote_to(struct remote **out, const char *place,
	      const struct remote_options *options, struct expt_error *err);
int remote_from(struct remote **out, const char *operand,
		const struct remote_options *options, struct expt_error *err);
void remote_close(struct remote *remote);

/* An experiment or a group, numbered from 0. To send: it must be fit for that, which is
 * checked as expt_export() does in a dry run. To receive: "host:path" on the same host.
 * After a failure the others are as they were. */
int remote_add(struct remote *remote, const char *operand,
	       const struct expt_export_options *options, struct expt_error *err);

/* Start the command, which returns immediately, and wait for its answer. -EBADMSG: it
 * failed, and has said why on its standard error; -ETIMEDOUT: it was silent for too long,
 * and has been ended. The functions below fail in the same ways. */
int remote_start(struct remote *remote, struct expt_error *err);
int remote_connect(struct remote *remote, struct expt_error *err);
/* From any thread: make the call fail that waits for the other side. */
void remote_stop(struct remote *remote);

/* The programs that do the work over there. */
enum remote_tools {
	REMOTE_TOOLS_ERKIT,
	REMOTE_TOOLS_TAR, /* with sha256sum: cannot replace, nor take another number */
	REMOTE_TOOLS_TAR_UNVERIFIED, /* nothing computes checksums: moves are refused */
};
enum remote_tools remote_tools(const struct remote *remote);
/* The nth name of an operand that is taken over there, or when receiving exists there;
 * NULL: no more. */
const char *remote_there(const struct remote *remote, size_t operand, size_t n);
/* Leave the operand where it is. When receiving, before remote_start(). */
void remote_drop(struct remote *remote, size_t operand);

/* Finish a move that was interrupted. 1: the operand was already whole over there under
 * the taken name; it has now been removed here, and is dropped. 0: it was not, or nothing
 * can tell. */
int remote_finish_move(struct remote *remote, size_t operand, struct expt_error *err);

/* The stream: options for the side that gives, and for the side that takes. An experiment
 * that is sent appears over there when it is verified and durable. A failure may concern
 * the last operands only: see remote_arrived(). */
int remote_send(struct remote *remote, const struct expt_export_options *giving,
		const struct expt_import_options *taking, struct expt_error *err);
int remote_receive(struct remote *remote, const struct expt_export_options *giving,
		   const struct expt_import_options *taking, struct expt_error *err);
/* The name that a sent operand has over there, or NULL: it has not arrived, as far as we
 * know. */
const char *remote_arrived(const struct remote *remote, size_t operand);

#endif
