/* SPDX-License-Identifier: Apache-2.0 */
/* The files of an experiment that is recorded from outside. */
#ifndef COLLECTOR_OUTSIDE_OUTPUTS_H
#define COLLECTOR_OUTSIDE_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/common/log_text.h"
#include "collector/outside/mappings.h"
#include "collector/outside/record.h"
#include "collector/outside/stacks.h"
#include "libexpt/format.h"

struct outputs {
	uint64_t start_ns;
	struct file log, map, overview, clock, counters;
	struct stacks stacks;
	uint64_t limit_bytes; /* of events and stacks; 0: none */
	uint64_t sample_period_ns, next_sample_ns;
	unsigned samples; /* of resource use */
	bool has_clock, is_full;
};

/* Begin the log; what is written stays in memory until the files are made. */
void outputs_open(struct outputs *outputs, const struct log_process *process,
		  unsigned states, uint64_t start_ns);
/* The same for a process; parent: in case that it has ended. */
void outputs_open_for(struct outputs *outputs, pid_t pid, pid_t parent,
		      const char *command, unsigned states, uint64_t start_ns);
/* The same for a run of the past on some machine; without a period in the settings there
 * are no clock data. */
struct past_run {
	struct log_machine machine;
	unsigned cpus;
	uint64_t start_ns;     /* of this process */
	int64_t start_seconds; /* the same, since 1970 */
};
void outputs_open_past(struct outputs *outputs, const struct log_process *process,
		       const struct past_run *run);
/* Make the files in the directory. Returns 0, or a negative errno: there is none. */
int outputs_make(struct outputs *outputs, int directory);
/* Remove the files, if the directory turns out to be of no use. */
void outputs_remove(int directory);
/* The directory of a descendant is complete: give it its final name, unless it has it
 * from the start. Returns 0, or a negative errno. */
int outputs_show(int founder, const char *lineage);
/* Write to the disk: what events refer to before the events. */
void outputs_flush(struct outputs *outputs);
/* Log the end of the recording. */
void outputs_end(struct outputs *outputs, uint64_t now_ns);
/* Close the files, whether they were made or not. */
void outputs_close(struct outputs *outputs);

/* Returns the time since the start. */
uint64_t outputs_time(const struct outputs *outputs, uint64_t now_ns);
/* Add a sample of resource use; its stamp is filled in. */
void outputs_sample(struct outputs *outputs, struct overview_record *sample,
		    const char *label, uint64_t now_ns);
void outputs_message(struct outputs *outputs, const char *kind, int number,
		     const char *message, int error);
/* Note in the founder's directory that the files of a descendant could not be made. */
void outputs_warn_unmade(int founder, const char *lineage, int error);
/* Add time that the thread of the record spent at this stack. */
void outputs_spend(struct outputs *outputs, const struct perf_record *record,
		   enum expt_thread_state state, uint64_t stack, uint64_t time_us);
/* Add events that the counter of this number in the settings has counted there. */
void outputs_count(struct outputs *outputs, const struct perf_record *record,
		   size_t counter, uint64_t stack);
void outputs_count_events(struct outputs *outputs, const struct perf_record *record,
			  size_t counter, uint64_t stack, uint64_t events);

/* Note in the map that the vdso is at this address. */
void outputs_map_vdso(struct outputs *outputs, uint64_t address, uint64_t now_ns);
/* Note that the range replaces mappings. */
void outputs_unmap(struct outputs *outputs, const struct mappings *mappings,
		   uint64_t address, uint64_t size, uint64_t now_ns);

static inline struct overview_time outputs_seconds(uint64_t ns)
{
	return (struct overview_time){ (int64_t)(ns / 1000000000),
				       (int64_t)(ns % 1000000000) };
}

#endif
