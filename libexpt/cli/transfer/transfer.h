/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What er_cp and er_mv have in common: most options; EXP1 EXP2, or EXP... DIR; names that are taken;
 * and going on with the other operands after a failure.
 */
#ifndef LIBEXPT_CLI_TRANSFER_H
#define LIBEXPT_CLI_TRANSFER_H

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

/* Of one of the programs: its options begin with this struct. */
struct cli_transfer {
	bool force;	   /* replace experiments that have the name */
	bool interactive;  /* ask before that */
	bool rename;	   /* take the next free number instead */
	bool never_into;   /* the last operand is a name, also if it is a directory */
	bool takes_groups; /* as operands */
	bool is_move;	   /* what was transferred is no longer at its old name */
	struct cli_groups groups; /* of moves */
	bool is_verbose, is_quiet, shows_progress;
	struct expt_operation operation; /* but for its report */
	const char *shell;		 /* for other hosts; NULL: ssh */
	unsigned timeout_s;		 /* of their silence; 0: as long as usual */
	const char *done;		 /* "copied": what a line of -v says */
	const char *planned;		 /* "would copy": what a line of -n says */
	const char *synopsis;		 /* the usage without its options */
	const struct cli_option *const *options; /* all tables, cli_transfer_options among them */

	/* Why the options cannot be had together, or NULL. May be NULL itself. */
	const char *(*check)(const struct cli_transfer *transfer);
	/* The option that was given and means nothing to another host, or NULL. May be NULL itself. */
	const char *(*local_option)(const struct cli_transfer *transfer);
	/* Do it, for one experiment. */
	int (*function)(const struct cli_transfer *transfer, const char *from,
			const char *to, bool replace, struct expt_report *report,
			struct expt_error *err);
	/* What goes along to or from another host; NULL: everything, as it is. */
	void (*prepare_export)(const struct cli_transfer *transfer,
			       struct expt_export_options *options);
};

/* For one experiment, with questions, warnings and messages: CLI_OK or CLI_FAILED. Where it is now is a
 * new string in *at; NULL: where it was. */
int cli_transfer_one(struct cli_transfer *transfer, const char *from, const char *to,
		     char **at);
/* For a group and all of its members (transfer_group.c). */
int cli_transfer_group(struct cli_transfer *transfer, const char *from, const char *to);
/* Whether transfer->groups are groups, and can be changed: CLI_OK, or CLI_FAILED after a message. */
int cli_check_groups(const struct cli_transfer *transfer);
/* Write the new name into transfer->groups: how many lines had the old one, or -1 after a message. */
int cli_rename_in_groups(const struct cli_transfer *transfer, const char *from,
			 const char *to);

/* Whether something has the name itself, wherever it leads to. */
bool cli_exists(const char *path);

/* Whether an operation's progress is shown. */
enum cli_progress cli_transfer_progress(const struct cli_transfer *transfer);

/* All of main: the status for exit. */
int cli_transfer(struct cli_transfer *transfer, int argc, char *argv[]);

#endif
