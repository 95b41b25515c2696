/* SPDX-License-Identifier: Apache-2.0 */
/* When the threads of a process entered parallel regions, or tasks, of OpenMP. */
#ifndef LIBEXPT_THREADS_OMP_ENTRIES_H
#define LIBEXPT_THREADS_OMP_ENTRIES_H

#include "libexpt/base/idmap.h"
#include "libexpt/expt.h"

struct omp_entries {
	struct {
		struct omp_entry {
			uint64_t thread, time_ns, id;
			size_t order; /* in the file */
		} * items;	      /* by thread and time */
		size_t count, capacity;
	} list;
	struct idmap by_id; /* the descriptions */
	struct {
		uint64_t *items; /* addresses of pragmas */
		size_t count, capacity;
	} pragmas;
};

/* Read the entries of a process. false: out of memory. */
bool omp_entries_read(struct omp_entries *entries, struct expt *expt,
		      enum expt_omp_by by);
/* Returns the address of the pragma that a thread entered last, or 0: none. */
uint64_t omp_entries_find(const struct omp_entries *entries, uint64_t thread,
			  uint64_t time_ns);
void omp_entries_release(struct omp_entries *entries);

#endif
