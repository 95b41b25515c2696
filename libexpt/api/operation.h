/* SPDX-License-Identifier: Apache-2.0 */
/* Errors, reports and progress, which all operations share. */
/* clang-format off */
#ifndef LIBEXPT_API_OPERATION_H
#define LIBEXPT_API_OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The library is built with hidden visibility. It exports what is declared
 * between these two. */
#ifdef __cplusplus
#define EXPT_DECLARATIONS_BEGIN _Pragma("GCC visibility push(default)") extern "C" {
#define EXPT_DECLARATIONS_END } _Pragma("GCC visibility pop")
#else
#define EXPT_DECLARATIONS_BEGIN _Pragma("GCC visibility push(default)")
#define EXPT_DECLARATIONS_END _Pragma("GCC visibility pop")
#endif

EXPT_DECLARATIONS_BEGIN

struct expt_report;

/* ---- errors ------------------------------------------------------------------------ */

/* A failure, in words ready to print after "er_cp: ". It is set on failure only. The
 * caller provides the struct, or passes NULL; nothing in it is allocated. */
struct expt_error {
	int code;			/* 0, or a negative errno value */
	char message[1024];		/* "cannot open 'test.1.er': Permission denied" */
};

/* ---- reports ----------------------------------------------------------------------- */

enum expt_outcome {
	/* Done: */
	EXPT_COPIED, EXPT_PRESENT, EXPT_DESCRIBED, EXPT_LINKED, EXPT_REMOVED,
	EXPT_ABSENT,			/* absent, and not required */
	EXPT_NOTE,			/* a warning; the operation still succeeded */
	/* Not done as asked: */
	EXPT_MISSING, EXPT_REFUSED, EXPT_CHANGED, EXPT_FAILED,
};
struct expt_report_line {
	enum expt_outcome outcome;
	const char *name;		/* of the file or object concerned */
	const char *reason;		/* in words, or "" */
};

/* A list of what an operation did to each file, what it refused, and what it noticed. The
 * caller makes it and passes it in the options of the operation. */
struct expt_report *expt_report_new(void);		/* NULL: out of memory */
void expt_report_free(struct expt_report *report);
size_t expt_report_count(const struct expt_report *report);
const struct expt_report_line *expt_report_line(const struct expt_report *report,
						size_t i);
uint64_t expt_report_files(const struct expt_report *report);	/* handled in all */
uint64_t expt_report_bytes(const struct expt_report *report);
/* Whether everything was done as asked: there is no line from EXPT_MISSING on. */
bool expt_report_is_complete(const struct expt_report *report);

/* ---- progress ---------------------------------------------------------------------- */

enum expt_phase {
	EXPT_PHASE_LISTING,		/* counting what there is to do: no totals yet */
	EXPT_PHASE_COPYING,
	EXPT_PHASE_SYNCING,		/* waiting for the disk */
	EXPT_PHASE_VERIFYING,		/* reading the copy back */
	EXPT_PHASE_REMOVING,		/* what was moved */
};
/* How far an operation is. The caller provides the struct, all zero, and may read it at
 * any time, from another thread or a signal handler. */
struct expt_progress {
	volatile uint64_t files, bytes;	/* done in this phase; holes count when passed */
	volatile uint64_t total_files, total_bytes;	/* of each phase */
	volatile int phase;		/* enum expt_phase */
};

/* ---- operations -------------------------------------------------------------------- */

/* The first member of the options of every operation. All zero means: for real, with as
 * many threads as useful, to the end, and silently. */
struct expt_operation {
	bool dry_run;			/* check and report everything, change nothing */
	unsigned threads;		/* 0: as many as useful, or ER_THREADS */
	const volatile int *stop;	/* NULL, or: when it is not 0, end with -EINTR */
	struct expt_progress *progress;	/* NULL, or: updated by the operation */
	struct expt_report *report;	/* NULL, or: filled by the operation */
};

EXPT_DECLARATIONS_END

#endif
