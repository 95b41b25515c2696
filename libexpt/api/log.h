/* SPDX-License-Identifier: Apache-2.0 */
/* The log and the notes of an experiment, and the kinds of data that it has. */
/* clang-format off */
#ifndef LIBEXPT_API_LOG_H
#define LIBEXPT_API_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/open.h"

EXPT_DECLARATIONS_BEGIN

/* ---- what the log says ------------------------------------------------------------- */

/* Where the log has nothing, texts are "" and numbers 0. */
struct expt_info {
	const char *version;		/* of the format: "12.4", or "" */
	const char *collector;		/* who recorded */
	const char *host, *arch, *os;
	uint64_t page_size, pages;	/* of memory: bytes of one, and how many */
	uint32_t cpu_count, clock_min_mhz, clock_max_mhz;
	int64_t pid, ppid, pgrp, sid;
	uint32_t word_bits;		/* 64 or 32 */
	const char *directory, *command;
	bool has_run;			/* there is a run event: the target was started */
	bool is_closed;			/* ended normally, or by exec */
	int64_t started_at;		/* seconds since the epoch, UTC */
	uint64_t start_ns;		/* zero of all times, on the recording clock */
	uint64_t end_ns;		/* of the last thing known, since the start */
};

const struct expt_info *expt_info(const struct expt *expt);

/* A name and a value, as the log has them: settings, attributes of data kinds. */
struct expt_attribute {
	const char *name, *value;
};

size_t expt_setting_count(const struct expt *expt);
const struct expt_attribute *expt_setting(const struct expt *expt, size_t i);

enum expt_event_kind {
	EXPT_EVENT_RUN, EXPT_EVENT_SAMPLE, EXPT_EVENT_EXIT, EXPT_EVENT_PAUSE,
	EXPT_EVENT_RESUME,
	EXPT_EVENT_THREAD_PAUSE, EXPT_EVENT_THREAD_RESUME,
	EXPT_EVENT_DESC_START, EXPT_EVENT_DESC_STARTED, EXPT_EVENT_EXEC_START,
	EXPT_EVENT_EXEC_ERROR, EXPT_EVENT_ERROR, EXPT_EVENT_WARNING, EXPT_EVENT_COMMENT,
	EXPT_EVENT_JTHREAD_START, EXPT_EVENT_JTHREAD_END, EXPT_EVENT_GC_START,
	EXPT_EVENT_GC_END, EXPT_EVENT_OTHER,
};

struct expt_event {
	enum expt_event_kind kind;
	const char *name;		/* of the kind, as in the log: "cwarn" */
	bool has_time;
	uint64_t time_ns;		/* since the start */
	int64_t id;			/* of messages (enum expt_message) and samples */
	int64_t error_number;		/* ec of errors, or 0 */
	const char *text;		/* of the element, or "" */
	const struct expt_attribute *attributes;	/* all of them, in order */
	size_t attribute_count;
};

size_t expt_event_count(const struct expt *expt);
const struct expt_event *expt_event(const struct expt *expt, size_t i);
/* The attribute with this name, or NULL. */
const char *expt_event_attribute(const struct expt_event *event, const char *name);
/* The meaning of a cerror, cwarn or comment number: "disk full". NULL if unknown. */
const char *expt_message_text(int64_t id);

/* The notes file, or "" if there is none. */
const char *expt_notes(const struct expt *expt);

/* ---- kinds of data ----------------------------------------------------------------- */

enum expt_data {
	EXPT_CLOCK, EXPT_HWC, EXPT_HEAP, EXPT_SYNC, EXPT_IO, EXPT_OMP, EXPT_RACE,
	EXPT_DEADLOCK, EXPT_MPI,
	EXPT_DATA_COUNT,
};

const char *expt_data_name(enum expt_data data);	/* its file: "profile" */
const char *expt_frames_name(void);			/* the file of the call stacks */

/* A <profile> element: one per data kind, one per counter for counters. */
struct expt_profile {
	enum expt_data data;		/* EXPT_DATA_COUNT: none of those, see name */
	const char *name;		/* "profile", "heaptrace", "hwcounter" ... */
	const struct expt_attribute *attributes;
	size_t attribute_count;
};

size_t expt_profile_count(const struct expt *expt);
const struct expt_profile *expt_profile(const struct expt *expt, size_t i);
bool expt_has_data(const struct expt *expt, enum expt_data data);	/* declared */
/* The unit of NTICK; 0 if it is not declared. */
uint64_t expt_clock_period_us(const struct expt *expt);
/* The time between two samples, if that is not the unit. */
uint64_t expt_clock_interval_us(const struct expt *expt);
/* How many thread states the clock's data has (numstates); 0 if it is not declared. */
int64_t expt_clock_states(const struct expt *expt);

EXPT_DECLARATIONS_END

#endif
