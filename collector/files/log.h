/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.xml. Until the experiment is materialised its events wait in memory. Each record
 * becomes visible at once, so the file is whole whenever the process is killed.
 */
#ifndef COLLECTOR_LOG_H
#define COLLECTOR_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/base/text.h"

/* Room for one event in the buffer of a caller that runs in normal code, and in a
 * handler. */
#define LOG_RECORD_SIZE	      2048
#define LOG_SHORT_RECORD_SIZE 320

/* Once, in normal code: describe what all processes of the run have in common. make is
 * called when many events wait, to make the experiment's files. */
void log_open(bool (*make)(void));
/* Everything up to the run event, and what has waited. */
void log_compose(struct text *text);
/* Drop what waits: it belongs to the parent. */
void log_forget(void);

/* '<event kind="kind" tstamp="now"', to be continued with attributes and given to
 * log_put(). */
void log_begin(struct text *record, const char *kind, uint64_t now);
/* Close the element and write it. */
void log_put(struct text *record);
/* Write an event with at most these attributes: the name may be NULL, the tid 0. */
void log_event(const char *kind, uint64_t now, const char *name, pid_t tid);

/* One thread at a time. */
void log_sample(uint64_t now, unsigned id, const char *label);
/* "comment", "cwarn" or "cerror" with a number of format.h and a text; error is an errno
 * or 0. */
void log_message(const char *kind, int number, const char *text, int error);

#endif
