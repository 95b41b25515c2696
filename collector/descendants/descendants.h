/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that the program makes: their names, and the child's side of a fork.
 * Lineages are numbered by counting calls, so no directory has to be searched.
 */
#ifndef COLLECTOR_DESCENDANTS_DESCENDANTS_H
#define COLLECTOR_DESCENDANTS_DESCENDANTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/base/text.h"
#include "collector/descendants/target.h"

/* Call once, in the main thread. */
void descendants_init(void);

/* The process of the caller, as far as it is recorded. */
enum descendants_place {
	PLACE_OWN,   /* the recorded process */
	PLACE_VFORK, /* a child of vfork, in its parent's memory: write nothing */
	PLACE_NONE,  /* nothing here is recorded or passed on */
};
/* Returns the caller's place. Notices a child of a raw fork or clone, and starts its
 * experiment. */
enum descendants_place descendants_place(void);
/* Must descendants_place() look closer? True in a child of a raw fork, and always if
 * there is no page that tells. */
bool descendants_is_stranger(void);

/* A child of fork or clone that is being made. Signals are blocked throughout. */
struct birth {
	const char *variant; /* name in the log; NULL: the child was made unseen */
	char element;	     /* LINEAGE_FORK or LINEAGE_CLONE */
	unsigned number;
	uint64_t begun_ns; /* by descendants_begin() */
};
/* Number the child, and log that it will be made. */
void descendants_begin(struct birth *birth);
/* Log that it has been made, or the error if pid < 0. */
void descendants_born(const struct birth *birth, pid_t pid, int error);
/* Call in the child; mask is the result of collector_enter(). */
void descendants_become(const struct birth *birth, uint64_t mask);

/* Append this process's lineage with the next element of this kind. False: it is too
 * long. */
bool descendants_next_lineage(struct text *lineage, char element);
bool descendants_add_element(struct text *lineage, char element, unsigned number);
/* Append the lineage of the image that a child of vfork executes. */
bool descendants_vfork_lineage(struct text *lineage);

/* Log a desc_start, desc_started, exec_start or exec_error event; message may be NULL. */
void descendants_log(const char *kind, const char *variant, const char *lineage,
		     bool is_followed, const char *message);
/* The same, with a message of a word and a number. */
void descendants_log_result(const char *kind, const char *variant, const char *lineage,
			    bool is_followed, const char *what, long number);
/* The same for a descendant that is about to begin; warn if it will be unable to have an
 * experiment. */
void descendants_log_start(const char *kind, const char *variant, const char *lineage,
			   bool is_followed, const char *message);
/* Log why a descendant is not recorded; error is that of sampling, or 0. */
void descendants_log_gap(enum target target, int error);
/* Append the path and the arguments, as far as they fit. */
void descendants_describe(struct text *text, const char *path, char *const argv[]);

#endif
