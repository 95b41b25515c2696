/* SPDX-License-Identifier: Apache-2.0 */
/* A selection: select.c opens and locks it, find.c fills it, judge.c looks at what is in
 * it, choose.c takes from it. */
#ifndef LIBEXPT_SELECT_PRIVATE_H
#define LIBEXPT_SELECT_PRIVATE_H

#include <regex.h>

#include "libexpt/expt.h"
#include "libexpt/manage/remove.h"
#include "libexpt/select/walk.h"
#include "libexpt/stage/lock.h"
#include "libexpt/tree/measure.h"
#include "libexpt/tree/remove.h"

/* A directory: to be searched, or around an experiment that was named. */
struct select_root {
	char *path; /* as named, without slashes behind */
	int dir;
	struct lock lock; /* on it */
	struct remove_identity identity;
	bool is_searched;
};

struct select_candidate {
	struct select_root *root;
	const char *directory, *name; /* below it */
	struct remove_identity identity, parent;
	struct expt_selected facts;
	uid_t owner;	/* by whose measure it is chosen; 0 if one is for all */
	uint64_t added; /* bytes that this owner's experiments examined before do not have
			 */
	bool may_be_starting; /* a recorder that has not said yet who it is */
	bool is_in_future;    /* its end, if one believes its log or its files */
	bool stays;	      /* among the newest */
};

/* What is under a hidden name. */
struct select_leftover {
	struct select_root *root;
	const char *directory, *name;
};

struct select_owner {
	uid_t owner;
	uint64_t total; /* bytes of those of his candidates that are there */
};

struct select_file_system {
	dev_t device;
	uint64_t foretold; /* bytes that are free when what was removed is */
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
		struct select_candidate
			*items; /* once they are chosen, the oldest first */
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
	size_t next; /* candidate to give out */
};

/* An error that says that something is not there any more, or that something else has its
 * name. */
bool select_is_gone(int code);
/* The directory of a candidate or a leftover, opened below its root: a descriptor. */
int select_open_parent(const struct select_root *root, const char *directory);

/* A candidate with this name in the directory below root; path is what messages call it.
 */
int select_add(struct expt_selection *selection, struct select_root *root,
	       const char *directory, const char *name, const char *path);
/* Those that were examined: mark those that stay, and put them in the order in which they
 * go. -ENOMEM. */
int select_order(struct expt_selection *selection);

/* Fill what the criteria ask for. 1: wanted; 0: not, or gone; negative: it cannot be
 * judged. */
int select_examine(struct expt_selection *selection, struct select_candidate *candidate,
		   struct expt_error *err);

#endif
