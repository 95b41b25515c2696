/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments to and from other hosts. */
/* clang-format off */
#ifndef LIBEXPT_API_REMOTE_H
#define LIBEXPT_API_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/bundle.h"

EXPT_DECLARATIONS_BEGIN

/* Whether an operand is on another host: "[user@]host:path", with a colon before the first slash; an
 * address with colons stands in brackets. "./a:b" is a local name. */
bool expt_name_is_remote(const char *operand);
/* The bytes of its host part, up to the colon: "me@desk" of "me@desk:runs". 0: a local name. */
size_t expt_name_host(const char *operand);

/* Experiments as one stream to or from a command on another host: er_import or er_export or, where
 * those are missing, tar. No shell is started here, and the one over there gets every name in
 * quotes. To send: expt_remote_to(), _add() for each operand, _start(), _connect(), questions,
 * _send(); to receive: expt_remote_from(), and then likewise. */
struct expt_remote;

struct expt_remote_options {
	const char *shell;	/* starts commands over there: words as rsync(1) takes them; NULL: ssh */
	int messages;		/* its standard error, and so what is said over there; -1: ours */
	bool is_quiet;		/* no warnings from over there */
	bool move;		/* sources go when they have arrived */
	bool move_live;		/* even those still being recorded */
	bool may_ask;		/* a person may be asked for a password: connecting takes its time */
	unsigned timeout_s;	/* of silence where an answer is due; 0: 60. Ten times that for work */
	const volatile int *stop; /* NULL, or: when it is not 0, what is read here ends with -EINTR */
};
/* -EINVAL: no host, or one that begins with '-', or no directory. */
int expt_remote_to(struct expt_remote **out, const char *place,
		   const struct expt_remote_options *options, struct expt_error *err);
int expt_remote_from(struct expt_remote **out, const char *operand,
		     const struct expt_remote_options *options, struct expt_error *err);
void expt_remote_close(struct expt_remote *remote);

/* An experiment or a group, numbered from 0. To send: it must be fit for it, which is looked at as
 * expt_export() does in a dry run. To receive: "host:path" on the same host. After a failure the others
 * are as they were. */
int expt_remote_add(struct expt_remote *remote, const char *operand,
		    const struct expt_export_options *options, struct expt_error *err);

/* Start the command, which returns at once, and wait for its answer. -EBADMSG: it failed, and has said
 * why on its standard error; -ETIMEDOUT: it was silent for too long, and has been ended; so in the functions
 * below. */
int expt_remote_start(struct expt_remote *remote, struct expt_error *err);
int expt_remote_connect(struct expt_remote *remote, struct expt_error *err);
/* From any thread: what is waited for fails. */
void expt_remote_stop(struct expt_remote *remote);

enum expt_remote_means {
	EXPT_REMOTE_ERKIT,
	EXPT_REMOTE_TAR,		/* and sha256sum: cannot replace, nor take another number */
	EXPT_REMOTE_TAR_UNVERIFIED,	/* nothing to take checksums with: moves are refused */
};
enum expt_remote_means expt_remote_means(const struct expt_remote *remote);
/* The nth name of an operand that is taken over there, or when receiving exists there; NULL: no more. */
const char *expt_remote_there(const struct expt_remote *remote, size_t operand, size_t n);
/* The operand stays where it is. When receiving, before _start(). */
void expt_remote_drop(struct expt_remote *remote, size_t operand);

/* 1: of a move, the operand is whole over there under the taken name, as one that was interrupted leaves
 * it; now it has been removed here, and is dropped. 0: it is not, or nobody can tell. */
int expt_remote_finish(struct expt_remote *remote, size_t operand, struct expt_error *err);

/* The stream: options for the side that gives, and for the side that takes. What has been sent is
 * verified and durable over there when its name appears. A failure may concern the last operands
 * only: expt_remote_arrived() tells. */
int expt_remote_send(struct expt_remote *remote, const struct expt_export_options *giving,
		     const struct expt_import_options *taking, struct expt_error *err);
int expt_remote_receive(struct expt_remote *remote, const struct expt_export_options *giving,
			const struct expt_import_options *taking, struct expt_error *err);
/* The name that a sent operand has over there, or NULL: it has not arrived, as far as we know. */
const char *expt_remote_arrived(const struct expt_remote *remote, size_t operand);

EXPT_DECLARATIONS_END

#endif
