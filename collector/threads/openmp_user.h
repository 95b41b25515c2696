/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks as the user of OpenMP knows them. */
#ifndef COLLECTOR_THREADS_OPENMP_USER_H
#define COLLECTOR_THREADS_OPENMP_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/threads/openmp.h"

struct thread;

/* Code of the runtime and of its wrappers is no code of the user's. Returns false if
 * there is no room to note it. */
bool openmp_note_runtime(const void *function);
/* Is that an address in code of a runtime, or of its wrappers? */
bool openmp_is_runtime(uint64_t pc);
/* Returns the address of the pragma; 0: there is none. */
uint64_t openmp_pragma(const struct openmp_site *site);
/* Returns the number of the user's list of frames, which does not show the runtime, and
 * for a thread of a team goes on as the one that began the region; 0: there is none. The
 * state may become that of a thread in the runtime. */
uint64_t openmp_user_list(struct thread *thread, struct openmp_seen *seen,
			  const uint64_t *pcs, size_t count);
/* Remove the frames of wrappers from a stack. Returns the new count. */
size_t openmp_remove_own(uint64_t *pcs, size_t count);

#endif
