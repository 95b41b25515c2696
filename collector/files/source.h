/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of data: each has one file with such a table, and one line in start.c. */
#ifndef COLLECTOR_FILES_SOURCE_H
#define COLLECTOR_FILES_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/files/files.h"

struct text;
struct thread;

struct data_source {
	const char *file;     /* its data file in the experiment ... */
	enum data_kind kind;  /* ... which is files.data[kind] */
	const char *metadata; /* where it is declared; NULL: in log.xml */
	bool is_late; /* the source itself makes the file and declares it, if need be */
	void (*describe)(struct text *text); /* its <profile> element */
	bool (*open)(void); /* once per recording; false: nothing is recorded */
	/* NULL: nothing to do */
	void (*start)(struct thread *thread); /* in the thread itself */
	void (*stop)(struct thread *thread);  /* in the thread itself, at its end */
	/* At the start or end of a pause, in any thread: record the time up to now
	 * that is due to the thread, or drop it. NULL: the time of the process that
	 * belongs to no thread with a record. */
	void (*settle)(struct thread *thread, uint64_t now, bool is_recorded);
	void (*close)(void);   /* at the end of the process */
	void (*silence)(void); /* stop all signals, in all threads, even if frozen; see
				* sandbox.c */
	void (*suspend)(
		struct thread *thread); /* in the thread itself, before an exec ... */
	void (*resume)(struct thread *thread); /* ... which failed */
	void (*after_fork)(void);	       /* in the child, before start() */
};

/* Ask each of these kinds, at most DATA_COUNT, whether it is wanted and available. The
 * functions below apply to those that are. */
void sources_open(const struct data_source *const *kinds, size_t count);
/* No kind is recorded, until sources_open() is called again. */
void sources_forget(void);
void sources_describe(struct text *text);
void sources_start(struct thread *thread);
/* Call around what a thread does at its start, and the end of the recording waits for.
 * The first returns false if the recording is over: then do nothing. */
bool sources_begin_start(void);
void sources_finish_start(void);
/* From now on no thread starts. Returns false while one still does. */
bool sources_end_starts(void);
void sources_stop(struct thread *thread);
void sources_settle(struct thread *thread, uint64_t now, bool is_recorded);
void sources_close(void);
void sources_silence(void);
void sources_suspend(struct thread *thread);
void sources_resume(struct thread *thread);
void sources_after_fork(void);
/* Returns the i-th kind of data that is recorded, or NULL after the last. */
const struct data_source *source_at(size_t i);
bool sources_have(enum data_kind kind);

#endif
