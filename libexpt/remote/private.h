/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of this folder: name.c parses names of places on other hosts, command.c
 * starts the command over there, script.c is that command, answer.c exchanges lines with
 * it until the stream begins, send.c and receive.c are the two directions of the stream,
 * move.c removes what has arrived.
 *
 * The protocol around the stream consists of lines, the same for both directions:
 *
 *	here	the names, a line each, and an empty line (sending only)
 *	there	"erkit-remote HOW SUMS": the programs found; "there N" for each name that
 *		is taken or, when receiving, for each experiment that exists; "ready"
 *	here	any number of times: "sum" and a name; the bundle that er_export makes of
 *		it over there is not sent ...
 *	there	... but its checksum (sending only)
 *	here	a line of options for er_import or er_export; when sending, then the names
 *		that will come
 *	...	the stream, until its end
 *	there	the lines of er_import -v (sending only)
 */
#ifndef LIBEXPT_REMOTE_PRIVATE_H
#define LIBEXPT_REMOTE_PRIVATE_H

#include "libexpt/base/strbuf.h"
#include "libexpt/expt.h"
#include "libexpt/manage/operand.h"
#include "libexpt/remote/child.h"
#include "libexpt/remote/remote.h"
#include "libexpt/tree/tree.h"

/* The programs that receive or send the stream over there. */
enum remote_means { REMOTE_NOTHING, REMOTE_TAR, REMOTE_TAR_ZSTD, REMOTE_ERKIT };

/* An experiment or a group file to be sent or received. */
struct remote_item {
	char *path; /* local when sending, remote when receiving */
	char name[256];
	size_t operand;	  /* its operand: the first that is not dropped */
	bool is_there;	  /* the name is taken, or the experiment exists */
	bool has_arrived; /* it is complete over there, under the name arrived */
	char arrived[256];
	/* for a move: the experiment to be removed, with its tree */
	struct operand source;
	struct tree tree;
	struct expt_group *group; /* for a move: the group as it was added */
};

/* An operand that was added. The caller may drop it. */
struct remote_operand {
	char *path;
	bool is_dropped;
};

struct remote {
	char *host;    /* as given by the user, for messages */
	char *address; /* for the remote shell: without brackets */
	char *path;    /* the directory to send to; NULL: receiving */
	char *shell;
	struct remote_options options; /* except for its shell */

	struct {
		struct remote_operand *items;
		size_t count, capacity;
	} operands;
	struct {
		struct remote_item *items;
		size_t count, capacity;
	} things;

	/* Items of several operands, perhaps of a group and its member. */
	struct {
		struct remote_shared {
			size_t item, operand; /* operand: not the first one of the item */
		} * items;
		size_t count, capacity;
	} shared;

	bool is_started;
	struct child child;
	unsigned patience_s;  /* silence allowed at present; 0: any */
	uint64_t deadline_ns; /* monotonic time when a line must be complete; 0: none */
	enum remote_means means;
	bool has_sums; /* sha256sum exists */
};

/* Shell script that receives in the directory $1. */
extern const char remote_receiver[];
/* Shell script that sends the experiments named by its arguments. */
extern const char remote_sender[];

/* Split an operand into its host part and path, in new strings. -EINVAL: it has no host,
 * or one that could be mistaken for an option. */
int remote_split(char **host, char **address, char **path, const char *operand,
		 struct expt_error *err);
/* Write a path that cannot be mistaken for an option over there; "" and "~" mean the
 * initial directory. */
int remote_path(struct strbuf *out, const char *path);

/* Announce what the other side has to do next, which decides how long it may be silent.
 * Work may take ten times as long as an answer, and longer the more bytes there are. */
void remote_expect_greeting(struct remote *remote);
void remote_expect_answer(struct remote *remote);
void remote_expect_work(struct remote *remote, uint64_t bytes);
/* Translate the result of an operation on the pipes: -EPIPE for a broken pipe, -ETIMEDOUT
 * for silence. Both are described. */
int remote_result(const struct remote *remote, int rc, struct expt_error *err);

/* Describe an answer that was not understood, -EBADMSG, or could not be read. Returns the
 * result of remote_result(). */
int remote_fail_answer(const struct remote *remote, int rc, struct expt_error *err);

/* Limit of the lines that the account's shell may print first, and of extra lines later,
 * when one is expected for each item. */
#define REMOTE_NOISE_MAX 1000

/* Send lines. -EPIPE: broken pipe. */
int remote_send_lines(struct remote *remote, const struct strbuf *text);
/* Read the next line, without its newline. Returns 1, or 0 at the end. */
int remote_read_line(struct remote *remote, struct strbuf *line);
/* Wait until the command has ended. Returns rc, unless the other side is to blame: then
 * an error that describes its status. */
int remote_wait(struct remote *remote, int rc, struct expt_error *err);

/* Returns NULL if the name is too long, or out of memory. */
struct remote_item *remote_add_item(struct remote *remote, const char *path,
				    const char *name, size_t length);
/* Prepare to remove an experiment after it was sent: the experiment itself, not the
 * target of a link. Its files are listed before the first byte is read. */
int remote_prepare_move(const struct remote *remote, struct remote_item *item,
			struct expt_error *err);
/* Remove all that has arrived; failures go into the report. */
void remote_remove_sources(const struct remote *remote, struct expt_report *report);
void remote_release_item(struct remote_item *item);
bool remote_is_dropped(const struct remote *remote, const struct remote_item *item);

#endif
