/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The activity of a thread in OpenMP. Its own normal code changes it, and its handlers
 * read it: nothing is written to the experiment before an event comes. Regions are also
 * read by the other threads of their teams, and may end meanwhile.
 */
#ifndef COLLECTOR_THREADS_OPENMP_H
#define COLLECTOR_THREADS_OPENMP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/unwind/unwind.h"
#include "libexpt/format.h"

/* The place of a pragma: an address in the code that called the runtime, to which the
 * call returns, and the function that the region or the task consists of. If the call was
 * the last thing that its function did, it is the caller of that one that the runtime
 * returns to. */
struct openmp_site {
	uint64_t caller, function; /* function: 0: unknown */
};

/* A parallel region, and which of those that the record has held. */
struct openmp_place {
	struct openmp_region *region; /* NULL: in none */
	uint64_t number;
};

struct openmp_now {
	enum expt_omp_state state;
	struct openmp_place place;
	struct openmp_site task; /* caller: 0: it is an implicit one */
};

/* A region that the thread has begun. */
struct openmp_region {
	_Atomic uint64_t number; /* changes at its begin and its end: odd in between */
	/* The frame pointer of the function of the runtime; NULL: it has returned */
	const void *frame;
	struct openmp_site site;
	struct openmp_now before; /* what the thread did before */
	_Atomic uint64_t listed;  /* the number of the region that list is for ... */
	_Atomic uint64_t list;	  /* ... the stack of its begin, as it was written */
};

/* Deeper ones are not told apart. */
#define OPENMP_LEVELS 16

/* How often the thread has begun regions, or run tasks, of one place. */
struct openmp_count {
	struct openmp_site site;  /* caller: 0: a free slot */
	struct openmp_site outer; /* the region around; caller: 0: none */
	uint64_t count, told;	  /* told: already recorded */
	bool is_task;
};

struct openmp_counts {
	size_t size, used; /* a power of 2 */
	struct openmp_count slots[];
};

struct openmp {
	struct openmp_now now;
	unsigned level; /* regions under way */
	struct openmp_region regions[OPENMP_LEVELS];
	/* The runtime has a state of its own for this thread. */
	bool asks_runtime;
	_Atomic(struct openmp_counts *) counts;
	uint64_t told_region, told_task; /* that events belong to, as recorded */
	uint64_t *pcs;			 /* room for depth + 1 */
};

/* The functions of this library that runtimes call, and those that call runtimes. */
#define OPENMP_CODE __attribute__((section("openmp_code")))

/* Asks the runtime for the state of the calling thread, in a handler. */
typedef enum expt_omp_state openmp_asker(void);
void openmp_ask(openmp_asker *asker);

struct thread;

/* A new thread uses the record. */
void openmp_attach(struct thread *thread);
/* Make the room of a thread that is in OpenMP; call in normal code. */
bool openmp_make_room(struct openmp *openmp);
static inline bool openmp_has_room(struct openmp *openmp)
{
	return openmp->pcs || openmp_make_room(openmp);
}
/* The thread begins a region, or ends the last one that it has begun. */
struct openmp_place openmp_begin_region(struct thread *thread, const void *frame,
					struct openmp_site site);
void openmp_end_region(struct thread *thread);
/* The thread runs a task. */
void openmp_count_task(struct thread *thread, struct openmp_site site);

/* Call in the handler: what the thread does now. Returns false if it has nothing to do
 * with OpenMP. */
struct openmp_seen {
	enum expt_omp_state state;
	struct openmp_region *region; /* NULL: none that is under way */
	struct openmp_site task;
};
bool openmp_look(struct thread *thread, struct openmp_seen *seen);
/* Returns the region around another one of another place; NULL: there is none. */
const struct openmp_site *openmp_outer(const struct openmp_region *region);
#endif
