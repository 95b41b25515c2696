/* SPDX-License-Identifier: Apache-2.0 */
/* What all operations have: how they fail, what they report, and how far they are. */
/* clang-format off */
#ifndef LIBEXPT_API_OPERATION_H
#define LIBEXPT_API_OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The library is built with hidden visibility; it exports what is declared between these two. */
#ifdef __cplusplus
#define EXPT_DECLARATIONS_BEGIN _Pragma("GCC visibility push(default)") extern "C" {
#define EXPT_DECLARATIONS_END } _Pragma("GCC visibility pop")
#else
#define EXPT_DECLARATIONS_BEGIN _Pragma("GCC visibility push(default)")
#define EXPT_DECLARATIONS_END _Pragma("GCC visibility pop")
#endif

EXPT_DECLARATIONS_BEGIN

struct expt_report;			/* what an operation did to each file */

/* ---- errors ------------------------------------------------------------------------ */

/* What went wrong, in words ready to print after "er_cp: ". Set on failure only. The caller
 * provides the struct, or passes NULL; nothing in it is allocated. */
struct expt_error {
	int code;			/* 0, or a negative errno value */
	char message[1024];		/* "cannot open 'test.1.er': Permission denied" */
};

/* ---- reports ----------------------------------------------------------------------- */

enum expt_outcome {
	EXPT_COPIED, EXPT_PRESENT, EXPT_DESCRIBED, EXPT_LINKED, EXPT_REMOVED,	/* well done */
	EXPT_ABSENT,			/* not there, and not counted on */
	EXPT_NOTE,			/* a warning: worth saying, success all the same */
	EXPT_MISSING, EXPT_REFUSED, EXPT_CHANGED, EXPT_FAILED,		/* not done as asked */
};
struct expt_report_line {
	enum expt_outcome outcome;
	const char *name;		/* of the file or object concerned */
	const char *reason;		/* in words, or "" */
};

/* Made by the caller and handed to an operation in its options; what the operation did, refused
 * and noticed is then in it. */
struct expt_report *expt_report_new(void);		/* NULL: out of memory */
void expt_report_free(struct expt_report *report);
size_t expt_report_count(const struct expt_report *report);
const struct expt_report_line *expt_report_line(const struct expt_report *report, size_t i);
uint64_t expt_report_files(const struct expt_report *report);	/* handled in all */
uint64_t expt_report_bytes(const struct expt_report *report);
bool expt_report_is_complete(const struct expt_report *report);	/* nothing from EXPT_MISSING on */

/* ---- progress ---------------------------------------------------------------------- */

/* How far an operation is. The caller provides it, all zero, and reads it whenever it likes, from
 * another thread or a signal handler. */
enum expt_phase {
	EXPT_PHASE_LISTING,		/* looking for what there is to do: the totals are not known */
	EXPT_PHASE_COPYING,
	EXPT_PHASE_SYNCING,		/* waiting for the disk */
	EXPT_PHASE_VERIFYING,		/* reading the copy back */
	EXPT_PHASE_REMOVING,		/* what was moved */
};
struct expt_progress {
	volatile uint64_t files, bytes;	/* done, in this phase; holes count as they are passed */
	volatile uint64_t total_files, total_bytes;	/* of each phase */
	volatile int phase;		/* enum expt_phase */
};

/* ---- operations ------------------------------------------------------------------------ */

/* The first member of the options of every operation. All zero: in earnest, with as many threads as
 * useful, to the end, and silently. */
struct expt_operation {
	bool dry_run;			/* check everything and report it, but change nothing */
	unsigned threads;		/* 0: as many as useful, or ER_THREADS */
	const volatile int *stop;	/* NULL, or: when it is not 0, end with -EINTR */
	struct expt_progress *progress;	/* NULL, or: filled as the operation goes on */
	struct expt_report *report;	/* NULL, or: gets what the operation did, and did not */
};

EXPT_DECLARATIONS_END

#endif
