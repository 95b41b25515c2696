/* SPDX-License-Identifier: Apache-2.0 */
/* Records of deadlocks. */
#ifndef COLLECTOR_DEADLOCK_REPORT_H
#define COLLECTOR_DEADLOCK_REPORT_H

#include <stdbool.h>
#include <stdint.h>

struct circle;

/* Record a circle, unless one with the same call stacks has been recorded. Returns
 * whether it is a new one. Called with the guard. */
bool report_potential(const struct circle *circle);

/* A thread of a deadlock that happens: it holds one lock and waits for another. Without a
 * stack, what it holds is its own end. */
struct blocked {
	int32_t tid;
	uintptr_t held, wanted;
	uint64_t held_stack, wanted_stack;
};
/* Record a deadlock that happens, unless it has been recorded; no potential one with the
 * same call stacks is recorded from now on. Returns false if it is not recorded. Called
 * with the guard. */
bool report_actual(const struct blocked *threads, unsigned count);

/* Call in the child of fork. */
void report_after_fork(void);

#endif
