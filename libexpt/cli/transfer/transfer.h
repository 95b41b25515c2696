/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part that er_cp and er_mv share: most options; EXP1 EXP2, or EXP... DIR; names that
 * are taken; and continuing with the other operands after a failure.
 */
#ifndef LIBEXPT_CLI_TRANSFER_TRANSFER_H
#define LIBEXPT_CLI_TRANSFER_TRANSFER_H

#include <stdbool.h>

#include "libexpt/cli/options.h"
#include "libexpt/cli/progress.h"
#include "libexpt/expt.h"

extern const struct cli_option cli_transfer_options[];

/* Group files in which moved experiments get their new names. */
struct cli_groups {
	const char **items;
	size_t count, capacity;
};

/* The command line. The options of a program begin with this struct. */
struct cli_transfer {
	bool force;	   /* replace existing experiments */
	bool interactive;  /* ask before that */
	bool rename;	   /* take the next free number instead */
	bool never_into;   /* the last operand is a name, even if it is a directory */
	bool takes_groups; /* as operands */
	bool is_move;	   /* transferred experiments leave their old names */
	struct cli_groups groups; /* for moves */
	bool is_verbose, is_quiet, shows_progress;
	struct expt_operation operation;   /* except for progress and report */
	struct expt_export_options giving; /* archives to add, to or from another host */
	const char *shell;		   /* for other hosts; NULL: ssh */
	unsigned timeout_s;		   /* for silence of another host; 0: default */
	const char *done;		   /* "copied": verb of a line of -v */
	const char *planned;		   /* "would copy": verb of a line of -n */
};

/* Call first in main. Returns -1, or the status for exit. The operands, at least two,
 * begin at optind. */
int cli_transfer_options_parse(const struct cli_command *command, int argc, char *argv[]);
/* Returns CLI_USAGE after a message if option, which may be NULL, was given and an
 * operand is on another host, else CLI_OK. */
int cli_check_local_option(const char *option, const struct cli_command *command,
			   int count, char *operands[]);

/* An experiment that the caller is to copy or move on this host. */
struct cli_task {
	const char *from;
	char *to;
	bool replace;
	struct expt_operation operation;
	/* The rest is for cli/transfer: */
	char *at;   /* where it is now; NULL: at its old place */
	int status; /* CLI_OK or CLI_FAILED */
};

struct cli_operands {
	struct cli_transfer *transfer;
	const char *directory, *name; /* the destination: a directory, or a name */
	char **items;
	int count, next;
	struct transfer_group *group; /* the group being transferred, or NULL */
	struct cli_task task;
	int status;
};

/* Begin to transfer all operands but the last to the last. */
void cli_operands_begin(struct cli_operands *operands, struct cli_transfer *transfer,
			int count, char *items[]);
/* Returns the next experiment to transfer on this host, after questions about it; NULL
 * after the last. Also does the transfers to and from other hosts, and the files of
 * groups. */
const struct cli_task *cli_operands_next(struct cli_operands *operands);
/* Take the result of that task; its messages are printed. */
void cli_operands_done(struct cli_operands *operands, int rc,
		       const struct expt_error *err);
/* Release the operands and the groups of transfer. Returns the status for exit. */
int cli_operands_end(struct cli_operands *operands);

#endif
