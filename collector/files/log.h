/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.xml. Until the experiment is materialised its events wait in memory. Each record
 * becomes visible atomically, so the file is whole whenever the process is killed.
 */
#ifndef COLLECTOR_FILES_LOG_H
#define COLLECTOR_FILES_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/base/text.h"

/* Room for one event: in the buffer of a caller in normal code, and in a handler. */
#define LOG_RECORD_SIZE	      2048
#define LOG_SHORT_RECORD_SIZE 320

/* Compose the part that all processes of the run share. Call once, in normal code. make
 * is called when many events wait, to make the experiment's files. */
void log_open(bool (*make)(void));
/* Add everything up to the run event, and the waiting events. */
void log_compose(struct text *text);
/* Drop waiting events, which belong to the parent. */
void log_forget(void);

/* Begins '<event kind="kind" tstamp="now"', to be continued with attributes and passed to
 * log_put(). */
void log_begin(struct text *record, const char *kind, uint64_t now);
/* Close the element and write it. */
void log_put(struct text *record);
/* Write a whole element. */
void log_element(const struct text *record);
/* Write an event with at most these attributes: the name may be NULL, the tid 0. */
void log_event(const char *kind, uint64_t now, const char *name, pid_t tid);

/* One thread at a time may call this. */
void log_sample(uint64_t now, unsigned id, const char *label);
/* kind: "comment", "cwarn" or "cerror"; number: a message number of format.h; error: an
 * errno or 0. */
void log_message(const char *kind, int number, const char *text, int error);
/* Note the length of a file that is complete. */
void log_length(const char *file, size_t bytes);

#endif
