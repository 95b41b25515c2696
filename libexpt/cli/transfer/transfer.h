/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part that er_cp and er_mv share: most options; EXP1 EXP2, or EXP... DIR; names that
 * are taken; and going on with the other operands after a failure.
 */
#ifndef LIBEXPT_CLI_TRANSFER_TRANSFER_H
#define LIBEXPT_CLI_TRANSFER_TRANSFER_H

#include <stdbool.h>

#include "libexpt/cli/options.h"
#include "libexpt/cli/progress.h"
#include "libexpt/expt.h"

extern const struct cli_option cli_transfer_options[];

/* Group files that shall name what is moved by its new name. */
struct cli_groups {
	const char **items;
	size_t count, capacity;
};

/* The command line. The options of a program begin with this struct. */
struct cli_transfer {
	bool force;	   /* replace experiments that have the name */
	bool interactive;  /* ask before that */
	bool rename;	   /* take the next free number instead */
	bool never_into;   /* the last operand is a name, also if it is a directory */
	bool takes_groups; /* as operands */
	bool is_move;	   /* what was transferred is no longer at its old name */
	struct cli_groups groups; /* of moves */
	bool is_verbose, is_quiet, shows_progress;
	struct expt_operation operation;   /* but for progress and report */
	struct expt_export_options giving; /* what goes along to or from another host */
	const char *shell;		   /* for other hosts; NULL: ssh */
	unsigned timeout_s;		   /* of their silence; 0: as long as usual */
	const char *done;		   /* "copied": what a line of -v says */
	const char *planned;		   /* "would copy": what a line of -n says */
};

/* First in main: -1, or the status for exit. The operands begin at optind, and are two or
 * more. */
int cli_transfer_options_parse(const struct cli_command *command, int argc, char *argv[]);
/* CLI_USAGE after a message if the option, which may be NULL, was given though an operand
 * is on another host; or CLI_OK. */
int cli_check_local_option(const char *option, const struct cli_command *command,
			   int count, char *operands[]);

/* One experiment that is to be copied or moved here, by the caller: */
struct cli_task {
	const char *from;
	char *to;
	bool replace;
	struct expt_operation operation;
	/* Then, for cli/transfer: */
	char *at;   /* where it is now; NULL: where it was */
	int status; /* CLI_OK or CLI_FAILED */
};

struct cli_operands {
	struct cli_transfer *transfer;
	const char *directory, *name; /* where they go: into it, or with it */
	char **items;
	int count, next;
	struct transfer_group *group; /* whose members are next; or NULL */
	struct cli_task task;
	int status;
};

/* All operands but the last go to the last. */
void cli_operands_begin(struct cli_operands *operands, struct cli_transfer *transfer,
			int count, char *items[]);
/* The next experiment here, after questions about it; NULL after the last. Transfers to
 * and from other hosts, and the files of groups, are done on the way. */
const struct cli_task *cli_operands_next(struct cli_operands *operands);
/* The result of the operation on that one: its messages are printed. */
void cli_operands_done(struct cli_operands *operands, int rc,
		       const struct expt_error *err);
/* Releases the groups of transfer, too. The status for exit. */
int cli_operands_end(struct cli_operands *operands);

#endif
