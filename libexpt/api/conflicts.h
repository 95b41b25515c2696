/* SPDX-License-Identifier: Apache-2.0 */
/* Conflicts of threads: data races and deadlocks. */
/* clang-format off */
#ifndef LIBEXPT_API_CONFLICTS_H
#define LIBEXPT_API_CONFLICTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/sums.h"
#include "libexpt/values.h"

EXPT_DECLARATIONS_BEGIN

/* A call stack of an access or a lock, for expt_races_frames() or
 * expt_deadlocks_frames(). */
typedef size_t expt_conflict_stack;

/* ---- races ------------------------------------------------------------------------- */

struct expt_access {
	int64_t kind;			/* enum expt_access_kind, or another number */
	uint64_t address, thread;
	int64_t count;			/* how often it was made */
	expt_conflict_stack stack;
};

/* Two accesses with the same call stacks; or one, if the other was not recorded. */
struct expt_race_trace {
	struct expt_access accesses[2];
	size_t access_count;
};

struct expt_race {
	uint64_t id;			/* as recorded */
	size_t expt;			/* the number of its experiment */
	uint64_t address;		/* of the first access */
	bool has_several_addresses;
	int64_t count;			/* of all accesses */
	const struct expt_race_trace *traces;
	size_t trace_count;
};

/* The races of all experiments, those of each in the order of their ids. */
struct expt_races;
int expt_races_find(struct expt_races **out, struct expt_view *view,
		    struct expt_error *err);
void expt_races_free(struct expt_races *races);
size_t expt_races_count(const struct expt_races *races);
const struct expt_race *expt_race(const struct expt_races *races, size_t i);
/* The frames of a stack, valid until the next call. */
int expt_races_frames(struct expt_races *races, expt_conflict_stack stack,
		      struct expt_frames *frames, struct expt_error *err);

/* ---- deadlocks --------------------------------------------------------------------- */

struct expt_lock {
	bool is_held;			/* else it was requested */
	uint64_t address, thread;
	expt_conflict_stack stack;
};

struct expt_deadlock {
	uint64_t id;			/* as recorded */
	size_t expt;			/* the number of its experiment */
	bool is_potential;		/* it did not happen in this run */
	const struct expt_lock *locks;	/* those of one thread together */
	size_t lock_count;
};

/* The deadlocks of all experiments, those of each in the order of their ids. */
struct expt_deadlocks;
int expt_deadlocks_find(struct expt_deadlocks **out, struct expt_view *view,
			struct expt_error *err);
void expt_deadlocks_free(struct expt_deadlocks *deadlocks);
size_t expt_deadlocks_count(const struct expt_deadlocks *deadlocks);
const struct expt_deadlock *expt_deadlock(const struct expt_deadlocks *deadlocks,
					  size_t i);
int expt_deadlocks_frames(struct expt_deadlocks *deadlocks, expt_conflict_stack stack,
			  struct expt_frames *frames, struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
