/* SPDX-License-Identifier: Apache-2.0 */
/* The founder of a recording of the kernel: the time of all processes in it. */
#ifndef COLLECTOR_ER_KERNEL_KERNEL_H
#define COLLECTOR_ER_KERNEL_KERNEL_H

#include "collector/er_kernel/plan.h"
#include "collector/er_kernel/processes.h"
#include "collector/kernel/symbols.h"
#include "collector/outside/outputs.h"

struct kernel {
	bool is_open;
	struct outputs outputs;
	struct symbols symbols;
	uint64_t read_ns;   /* when the symbols were read last */
	uint64_t renew_ns;  /* they are not read again before, */
	uint64_t pause_ns;  /* and then not for so long */
	int archives;	    /* directory */
	uint64_t next_root; /* address of the next process's frame */
};

/* Make the files. Returns 0, or a negative errno; kernel_close() is due in any case. */
int kernel_open(struct kernel *kernel, const struct plan *plan, uint64_t now_ns);
/* Record the last sample of resource use, and close the files. */
void kernel_close(struct kernel *kernel, uint64_t now_ns);
/* Write to the disk. */
void kernel_flush(struct kernel *kernel);

/* Record that a process spent this time where it was when the record was made. Returns
 * the number of its stack. */
uint64_t kernel_spend(struct kernel *kernel, const struct perf_record *record,
		      struct process *process, uint64_t time_us);
/* Record more time of the record's thread in a stack of that number. */
void kernel_spend_at(struct kernel *kernel, const struct perf_record *record,
		     uint64_t stack, uint64_t time_us);
/* Record that the counter has counted its events there. */
void kernel_count(struct kernel *kernel, const struct perf_record *record,
		  struct process *process, size_t counter);
void kernel_sample_if_due(struct kernel *kernel, uint64_t now_ns);

#endif
