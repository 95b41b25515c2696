/* SPDX-License-Identifier: Apache-2.0 */
/* Moments of a process, in the order of time, at which something else happens to what is
 * known of its memory than a call of the heap. */
#ifndef LIBEXPT_DATASPACE_MOMENTS_H
#define LIBEXPT_DATASPACE_MOMENTS_H

#include "libexpt/dataspace/lineages.h"

enum moment_kind {
	MOMENT_PAUSE,	      /* or the end of one */
	MOMENT_THREAD_PAUSE,  /* one thread's calls are not recorded from now on */
	MOMENT_THREAD_RESUME, /* they are again */
	MOMENT_FORK,	      /* a fork begins */
	MOMENT_FORKED,	      /* it has certainly been done */
};

struct moments {
	struct moment {
		uint64_t time_ns;
		size_t number; /* in the order of the log */
		enum moment_kind kind;
		size_t child; /* of a fork */
	} * items;
	size_t count, capacity;
};

/* Find those of a member; forks that made members which are wanted. false: out of
 * memory. */
bool moments_find(struct moments *moments, const struct expt_view *view, size_t member,
		  const struct lineage *lineages, const bool *is_wanted);

#endif
