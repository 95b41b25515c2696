/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiments that copying, moving and removing are asked to work on, and what must
 * be true of them before anything is touched.
 */
#ifndef LIBEXPT_MANAGE_OPERAND_H
#define LIBEXPT_MANAGE_OPERAND_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "libexpt/expt.h"
#include "libexpt/tree/tree.h"

struct operand {
	int parent;			/* the directory it is in */
	char name[256];			/* in that directory */
	int dir;			/* itself */
	struct stat status;		/* of dir */
	struct directories directories; /* all in it, as it was when it was opened */
	bool is_descendant;		/* parent is its founder */
	char host[256];			/* that recorded it, or "" */
	bool is_live;			/* it, or a descendant, is being recorded */
};

#define OPERAND_INIT                    \
	{                               \
		.parent = -1, .dir = -1 \
	}

/* The path of an experiment that is only to be read: where it is a link, which is as good
 * as the experiment then, the path of that. The caller frees it; NULL with errno set. */
char *operand_resolve(const char *path);

/* A directory that holds an experiment and nothing else (layout_open). */
int operand_open(struct operand *operand, const char *path, struct expt_error *err);
/* The same of the name in the directory parent; path is what messages call it. */
int operand_open_at(struct operand *operand, int parent, const char *name,
		    const char *path, struct expt_error *err);
/* The same, with layout_open_admitting(). */
int operand_open_admitting(struct operand *operand, int parent, const char *name,
			   const char *path, struct admissions *admissions,
			   struct expt_error *err);
/* The own name of the directory it is in, or "" where that cannot be found out. */
void operand_parent_name(char name[PATH_MAX], const struct operand *operand);
void operand_release(struct operand *operand);
/* Close its directories, where many operands are open: they are read again when that is
 * needed. */
void operand_forget(struct operand *operand);

/* -EPERM: it has lost its name, or its founder has. A removal begins with that, so what
 * still has it after it was listed was listed whole. */
int operand_check_name(const struct operand *operand, struct expt_error *err);

/* Fill host and is_live from the logs. -ENOTSUP: of a format that we do not know; -EIO:
 * the disk does not give the log. An experiment without a log is not live. */
int operand_read_log(struct operand *operand, const char *path, struct expt_error *err);

/* Whether the operand, whose log is in expt, or a descendant of it is being recorded: 1
 * or 0; negative: the disk does not tell. */
int operand_is_live(const struct operand *operand, struct expt *expt,
		    struct expt_error *err);

/* A line EXPT_NOTE where it was recorded on another host, whose load objects may be
 * others. */
void operand_warn_of_other_host(const struct operand *operand, const char *path,
				struct expt_report *report);

/* tree_read() of all that is in the operand; of one that is being recorded, as it is now.
 */
int operand_list(struct tree *tree, const struct operand *operand, const char *left_out,
		 struct expt_error *err);
/* Whether to may become the copy or the new name of the operand: the name of an
 * experiment, not the operand itself, not in it, and not in another one. */
int operand_check_target(const struct operand *operand, const char *from, const char *to,
			 struct expt_error *err);

#endif
