/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of log.xml as text. Nothing here depends on the process it runs in. */
#ifndef COLLECTOR_COMMON_LOG_TEXT_H
#define COLLECTOR_COMMON_LOG_TEXT_H

#include <stdint.h>
#include <sys/types.h>

#include "collector/base/text.h"

struct log_process {
	pid_t pid, parent, group, session;
	const char *directory, *command;
};

struct log_machine {
	const char *host, *architecture, *os; /* os: "Linux 6.1.0" */
	uint64_t pages;			      /* of 4096 bytes */
};

/* The beginning of a log. Not for handlers. */
void log_header_system(struct text *text);
/* The same for another machine, which has this many processors. */
void log_header_machine(struct text *text, const struct log_machine *machine,
			unsigned cpus);
void log_header_process(struct text *text, const struct log_process *process);
/* The elements between the kinds of data and the run event. Times are absolute. */
void log_header_run(struct text *text, uint64_t start_ns, uint64_t now_ns);
/* The same for a run whose start is known in seconds since 1970. */
void log_header_run_at(struct text *text, uint64_t start_ns, int64_t start_seconds);
/* The length of a file when its recording has ended, so that readers know if some of it
 * is lost later. gprofng knows the element and ignores it. */
void log_header_length(struct text *text, const char *file, uint64_t bytes);

/* '<event kind="kind" tstamp="..."', to be continued; the time is relative to the
 * start. */
void log_header_event(struct text *text, const char *kind, uint64_t relative_ns);
/* A complete comment, cwarn or cerror; error is an errno, or 0. */
void log_header_message(struct text *text, const char *kind, int number,
			const char *message, int error);
/* The text of EXPT_WARNING_SIZE_LIMIT. */
void log_header_limit(struct text *message, uint64_t relative_ns);
/* Warnings for the founder's log: this descendant has no experiment, or those of another
 * user will have none. */
void log_header_unmade(struct text *text, const char *lineage, int error);
void log_header_barred(struct text *text, const char *lineage, uid_t user);

#endif
