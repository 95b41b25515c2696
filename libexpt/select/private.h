/* SPDX-License-Identifier: Apache-2.0 */
/* A selection: select.c opens and locks it, find.c fills it, judge.c examines its
 * candidates, choose.c takes from it. */
#ifndef LIBEXPT_SELECT_PRIVATE_H
#define LIBEXPT_SELECT_PRIVATE_H

#include <regex.h>

#include "libexpt/expt.h"
#include "libexpt/manage/remove.h"
#include "libexpt/select/walk.h"
#include "libexpt/stage/lock.h"
#include "libexpt/tree/measure.h"
#include "libexpt/tree/remove.h"

/* A directory to search, or one that contains an experiment that was named. */
struct select_root {
	char *path; /* as named, without trailing slashes */
	int dir;
	struct lock lock; /* on the directory */
	struct remove_identity identity;
	bool is_searched;
};

struct select_candidate {
	struct select_root *root;
	const char *directory, *name; /* below the root */
	struct remove_identity identity, parent;
	struct expt_selected facts;
	uid_t owner;	      /* whose limits apply; 0 if all owners share them */
	uint64_t added;	      /* bytes not shared with this owner's experiments so far */
	bool may_be_starting; /* its recorder may not be known yet */
	bool is_in_future;    /* the end that its log or its files claim */
	bool stays;	      /* one of the newest, which are kept */
};

/* A stage or a removal under a hidden name. */
struct select_leftover {
	struct select_root *root;
	const char *directory, *name;
};

struct select_owner {
	uid_t owner;
	uint64_t total; /* bytes of this owner's candidates that are left */
};

struct select_file_system {
	dev_t device;
	uint64_t foretold; /* free bytes, if all removed ones are freed */
};

struct expt_selection {
	struct expt_criteria criteria;
	regex_t comment;
	int64_t now;
	struct {
		struct select_root **items;
		size_t count, capacity;
	} roots;
	struct find_result found;
	struct {
		struct select_candidate *items; /* once chosen, in the order of removal */
		size_t count, capacity;
	} candidates;
	struct {
		struct select_leftover *items;
		size_t count, capacity;
	} leftovers;
	struct {
		struct select_file_system *items;
		size_t count, capacity;
	} file_systems;
	struct tree_patience patience; /* of all removals together */
	struct {
		struct select_owner *items;
		size_t count, capacity;
	} owners;
	struct tree_links links;
	size_t next; /* candidate to return */
};

/* Returns true for errors that mean that an entry is gone, or something else has its
 * name. */
bool select_is_gone(int code);
/* Open the directory of a candidate or a leftover below its root. Returns a
 * descriptor. */
int select_open_parent(const struct select_root *root, const char *directory);

/* Add a candidate with this name in the directory below root; path is for messages. */
int select_add(struct expt_selection *selection, struct select_root *root,
	       const char *directory, const char *name, const char *path);
/* Mark the examined candidates that stay, and put all in the order of removal. Returns 0
 * or -ENOMEM. */
int select_order(struct expt_selection *selection);

/* Find out what the criteria need. Returns 1 if wanted, 0 if not or gone, or a negative
 * errno if it cannot be judged. */
int select_examine(struct expt_selection *selection, struct select_candidate *candidate,
		   struct expt_error *err);

#endif
