/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiments that are copied, moved or removed, and the conditions that they must
 * meet before anything is changed.
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
	struct directories directories; /* all its directories, as of its opening */
	bool is_descendant;		/* parent is its founder */
	char host[256];			/* the host that recorded it, or "" */
	bool is_live;			/* it, or a descendant, is being recorded */
};

#define OPERAND_INIT                    \
	{                               \
		.parent = -1, .dir = -1 \
	}

/* Returns the path of an experiment that is only to be read, following a link to it. The
 * caller frees the path. Returns NULL with errno set on failure. */
char *operand_resolve(const char *path);

/* Open a directory that contains an experiment and nothing else (layout_open). */
int operand_open(struct operand *operand, const char *path, struct expt_error *err);
/* Open the name in the directory parent; path is for messages. */
int operand_open_at(struct operand *operand, int parent, const char *name,
		    const char *path, struct expt_error *err);
/* As operand_open_at(), with layout_open_admitting(). */
int operand_open_admitting(struct operand *operand, int parent, const char *name,
			   const char *path, struct admissions *admissions,
			   struct expt_error *err);
/* Get the name of the directory that the operand is in, or "" if it cannot be
 * determined. */
void operand_parent_name(char name[PATH_MAX], const struct operand *operand);
void operand_release(struct operand *operand);
/* Close its directories, if many operands are open. They are read again when needed. */
void operand_close_directories(struct operand *operand);

/* Returns -EPERM if the operand or its founder has lost its name. Removals begin with
 * that, so an operand that still has it after it was listed was listed completely. */
int operand_check_name(const struct operand *operand, struct expt_error *err);

/* Fill host and is_live from the logs. -ENOTSUP: the format is not supported; -EIO: the
 * log cannot be read from the disk. An experiment without a log is not live. */
int operand_read_log(struct operand *operand, const char *path, struct expt_error *err);

/* Returns 1 if the operand, whose log is in expt, or a descendant of it is being
 * recorded, else 0, or a negative errno if a log cannot be read. */
int operand_is_live(const struct operand *operand, struct expt *expt,
		    struct expt_error *err);

/* Report an operand that was recorded on another host, whose load objects may differ, as
 * EXPT_NOTE. */
void operand_warn_of_other_host(const struct operand *operand, const char *path,
				struct expt_report *report);

/* List the operand with tree_read(), in its current state if it is live. */
int operand_list(struct tree *tree, const struct operand *operand, const char *left_out,
		 struct expt_error *err);
/* Check that to may be the copy or the new name of the operand: the name of an
 * experiment, not the operand itself, and not inside it or another one. */
int operand_check_target(const struct operand *operand, const char *from, const char *to,
			 struct expt_error *err);

#endif
