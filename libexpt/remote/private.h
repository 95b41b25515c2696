/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of this folder: name.c knows names of places on other hosts, command.c starts
 *the command over there, script.c is that command, answer.c talks with it until the
 *stream begins, send.c and receive.c are the two directions of the stream, move.c removes
 *what has arrived.
 *
 * What is said before and after the stream are lines, the same for both directions:
 *
 *	we	the names, a line each, and an empty line	(sending only)
 *	they	"erkit-remote HOW SUMS": what is there; "there N" for each name that is
 *taken, or, when we receive, for each experiment that exists; "ready"
 *	we	as often as we like "sum", and a name: what er_export makes of it is not
 *sent ... they	... but its checksum				(sending only)
 *	we	a line of options for er_import or er_export; when sending, the names that
 *will come
 *	...	the stream, until its end
 *	they	lines of er_import -v						(sending
 *only)
 */
#ifndef LIBEXPT_REMOTE_PRIVATE_H
#define LIBEXPT_REMOTE_PRIVATE_H

#include "libexpt/base/strbuf.h"
#include "libexpt/expt.h"
#include "libexpt/manage/operand.h"
#include "libexpt/remote/child.h"
#include "libexpt/remote/remote.h"
#include "libexpt/tree/tree.h"

/* What receives or gives the stream over there. */
enum remote_means { REMOTE_NOTHING, REMOTE_TAR, REMOTE_TAR_ZSTD, REMOTE_ERKIT };

/* An experiment, or a group file, that is to go or to come. */
struct remote_item {
	char *path; /* here, or there */
	char name[256];
	size_t operand; /* of those added: what it belongs to, the first that is not given
			   up */
	bool is_there;	/* the name is taken, or the experiment exists */
	bool has_arrived; /* it is complete over there, as arrived */
	char arrived[256];
	struct operand
		source; /* of a move: what is to be removed, and all that is in it */
	struct tree tree;
	struct expt_group *group; /* of the move of one: as it was then */
};

/* What was added, by a caller who may give it up again. */
struct remote_operand {
	char *path;
	bool is_dropped;
};

struct remote {
	char *host;    /* as it was named, for messages */
	char *address; /* for the remote shell: without brackets */
	char *path;    /* the directory to send to; NULL: receiving */
	char *shell;
	struct remote_options options; /* but for its shell */

	struct {
		struct remote_operand *items;
		size_t count, capacity;
	} operands;
	struct {
		struct remote_item *items;
		size_t count, capacity;
	} things;

	/* What several operands have in common, a group and its member perhaps. */
	struct {
		struct remote_shared {
			size_t item, operand; /* which is not its first */
		} * items;
		size_t count, capacity;
	} shared;

	bool is_started;
	struct child child;
	unsigned patience_s;  /* what silence is allowed now; 0: any */
	uint64_t deadline_ns; /* on the monotonic clock: when a line must be there; 0:
				 none */
	enum remote_means means;
	bool has_sums; /* sha256sum */
};

/* Receives in the directory $1. */
extern const char remote_receiver[];
/* Gives the experiments named by its words. */
extern const char remote_sender[];

/* The host part and the path of an operand, in new strings. -EINVAL: it has none, or one
 * that could be taken for an option. */
int remote_split(char **host, char **address, char **path, const char *operand,
		 struct expt_error *err);
/* A path that cannot be taken for an option over there; "" and "~" are where one is at
 * first. */
int remote_path(struct strbuf *out, const char *path);

/* Say what the other side has to do next, which decides how long it may be silent. Work
 * takes ten times as long as an answer, and longer the more bytes there are. */
void remote_expect_greeting(struct remote *remote);
void remote_expect_answer(struct remote *remote);
void remote_expect_work(struct remote *remote, uint64_t bytes);
/* Translate the result of an operation on its pipes: -EPIPE if one is broken, -ETIMEDOUT
 * for silence. These are described. */
int remote_result(const struct remote *remote, int rc, struct expt_error *err);

/* Describe an answer that is not one, -EBADMSG, or that could not be read. Returns what
 * remote_result() makes of rc. */
int remote_fail_answer(const struct remote *remote, int rc, struct expt_error *err);

/* The account's shell may print lines first, and later ones are as many as there are
 * things. */
#define REMOTE_NOISE_MAX 1000

/* Send lines; a broken pipe is -EPIPE. */
int remote_tell(struct remote *remote, const struct strbuf *text);
/* The next line, without its end: 1, or 0 at the end. */
int remote_read_line(struct remote *remote, struct strbuf *line);
/* Wait until the command has ended: rc, if that is not the fault of the other side, or
 * what its status says. */
int remote_wait(struct remote *remote, int rc, struct expt_error *err);

/* NULL: out of memory, or the name is too long. */
struct remote_item *remote_add_item(struct remote *remote, const char *path,
				    const char *name, size_t length);
/* A move removes the experiment itself, not what a link leads to, and must know what is
 * in it before the first byte is read. */
int remote_prepare_move(const struct remote *remote, struct remote_item *item,
			struct expt_error *err);
/* Remove all that has arrived; what cannot be removed is in the report. */
void remote_remove_sources(const struct remote *remote, struct expt_report *report);
void remote_release_item(struct remote_item *item);
bool remote_is_dropped(const struct remote *remote, const struct remote_item *item);

#endif
