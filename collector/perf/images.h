/* SPDX-License-Identifier: Apache-2.0 */
/* The programs that the recorded processes executed one after the other, each of which
 * may become an experiment, and which records belong to which. */
#ifndef COLLECTOR_PERF_IMAGES_H
#define COLLECTOR_PERF_IMAGES_H

#include "collector/perf/records.h"

#define IMAGE_NONE	  UINT32_MAX
#define PROCESS_NAME_SIZE 16 /* with the terminating zero, as in the kernel */

struct shared; /* see shared.h */

struct image {
	struct image *parent;		   /* that forked or executed it, or NULL */
	struct image *root;		   /* the first of its line */
	struct image *first, *last, *next; /* children that it forked; the next of them */
	uint32_t number;		   /* in the table */
	uint32_t pid, parent_pid;
	char name[PROCESS_NAME_SIZE];
	char element;	   /* of the lineage: LINEAGE_FORK ... */
	unsigned position; /* the same: 1, 2 ... */
	unsigned forks, execs;
	unsigned serial; /* among those of its process */
	uint64_t start_ns, end_ns;
	uint64_t samples;
	bool is_executed; /* in the recording, rather than before it */
	struct shared
		*code; /* while records are gone through; NULL: not begun, or over */
};

/* Code of the kernel, or of a module. */
struct kernel_range {
	uint64_t address, size, reference; /* reference: of the kernel's first symbol */
	char *name;			   /* as perf has it */
	size_t part; /* 1 + its number in kernel_code; 0: none yet */
};

struct images {
	struct image **items;
	size_t count, room;
	void *processes;	     /* tree */
	struct image *founder;	     /* NULL: all are descendants of none */
	struct kernel_range *kernel; /* by address */
	size_t kernel_count;
	uint64_t start_ns, end_ns; /* of the recording */
	uint64_t unknown;	   /* samples of events that are not known */
};

/* Find them, and set the image of each record, in the order of time. Returns a status,
 * after a message. */
int images_find(struct images *images, struct records *records);
void images_release(struct images *images);
/* Write the name of its experiment below that of the founder; "" for the founder itself.
 * False: it is too long. */
bool image_lineage(char *lineage, size_t size, const struct image *image,
		   const struct images *images);

#endif
