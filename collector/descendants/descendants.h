/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that the program makes: how they are named, and the child's side of a fork.
 * Lineages are counted by calls, so that no directory has to be searched.
 */
#ifndef COLLECTOR_DESCENDANTS_DESCENDANTS_H
#define COLLECTOR_DESCENDANTS_DESCENDANTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/base/text.h"
#include "collector/descendants/target.h"

/* Once, in the main thread. */
void descendants_init(void);

/* Where the caller stands. Finds out a child of a raw fork or clone, and makes it one of
 * ours. */
enum descendants_place {
	PLACE_OWN,   /* the process we know */
	PLACE_VFORK, /* a child of vfork, in its parent's memory: write nothing */
	PLACE_NONE,  /* nothing here is recorded or passed on */
};
enum descendants_place descendants_place(void);
/* Whether that has something to find out: a child of a raw fork, or any child without our
 * page. */
bool descendants_is_stranger(void);

/* A child of fork or clone, in the making. Signals are blocked around all of this. */
struct birth {
	const char *variant; /* as the log calls it; NULL: it began unseen */
	char element;	     /* LINEAGE_FORK or LINEAGE_CLONE */
	unsigned number;
};
/* Number the child, and log that it is about to be made. */
void descendants_begin(struct birth *birth);
/* Log that it has been made; with pid < 0, why not. */
void descendants_born(const struct birth *birth, pid_t pid, int error);
/* In the child itself; mask: what collector_enter() has told. */
void descendants_become(const struct birth *birth, uint64_t mask);

/* Append the next element of this kind to the own lineage. False: it would be too
 * long. */
bool descendants_next_lineage(struct text *lineage, char element);
bool descendants_add_element(struct text *lineage, char element, unsigned number);
/* Of the image that a child of vfork makes. */
bool descendants_vfork_lineage(struct text *lineage);

/* A desc_start, desc_started, exec_start or exec_error event; message may be NULL. */
void descendants_log(const char *kind, const char *variant, const char *lineage,
		     bool is_followed, const char *message);
/* The same with a message of a word and a number. */
void descendants_log_result(const char *kind, const char *variant, const char *lineage,
			    bool is_followed, const char *what, long number);
/* The same for one that is about to begin; and, if it is so, that it will have no
 * experiment. */
void descendants_log_start(const char *kind, const char *variant, const char *lineage,
			   bool is_followed, const char *message);
/* A descendant that is not recorded, and why; error is that of sampling, or 0. */
void descendants_log_gap(enum target target, int error);
/* Path and arguments, or what fits. */
void descendants_describe(struct text *text, const char *path, char *const argv[]);

#endif
