/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment of one process, from its fork or exec to its end or next exec. */
#ifndef COLLECTOR_SAMPLER_IMAGE_H
#define COLLECTOR_SAMPLER_IMAGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "collector/common/settings.h"
#include "collector/outside/code.h"
#include "collector/outside/outputs.h"
#include "collector/sampler/usage.h"
#include "libexpt/format.h"

struct image {
	char lineage[LINEAGE_MAX + 1];
	pid_t pid;
	uint64_t entry;	 /* start address of the program */
	uint64_t stack;	 /* of the last sample; 0: none yet */
	uint32_t thread; /* of the last sample */
	unsigned forks, execs;
	bool is_recorded; /* false: excluded by -F, or its directory could not be made */
	bool is_made;
	struct outputs outputs;
	struct code *codes; /* mapped at present */
	size_t code_count;
	const struct usage *used;    /* by the process */
	uint64_t former_ns;	     /* real time of its earlier images */
	struct overview_record last; /* sample */
};

/* Start an image of the process that used so much; it inherits the mappings of from, if
 * not NULL. path is matched with -F. */
struct image *image_open(const char *lineage, pid_t pid, const char *path,
			 const char *command, uint64_t start_ns, const struct usage *used,
			 const struct image *from);
/* Record the last sample, labelled ending, close the files and free the image. */
void image_close(struct image *image, const char *ending, uint64_t now_ns);
/* Write pending data to disk. */
void image_flush(struct image *image);

/* Set the stack that ticks are charged to from now on, as the kernel reports it. */
void image_set_stack(struct image *image, uint32_t thread, const uint64_t *pcs,
		     size_t count);
/* Record clock ticks at that stack. */
void image_record(struct image *image, uint32_t cpu, enum expt_thread_state state,
		  uint32_t ticks, uint64_t now_ns);

/* Take a sample of resource use. */
void image_sample(struct image *image, const char *label, uint64_t now_ns);
void image_sample_if_due(struct image *image, uint64_t now_ns);

/* Log that the process executes another image. */
void image_log_exec(struct image *image, const char *lineage, const char *command,
		    uint64_t now_ns);

#endif
