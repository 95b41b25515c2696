/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup of the functions that the wrappers call. The lookup itself calls wrappers. */

#include "collector/heap/find.h"

#include "collector/trace/trace.h"

static __thread bool is_searching;

void *heap_find(struct real *real)
{
	struct thread *thread;
	void *function;

	if (is_searching)
		return NULL;
	is_searching = true;
	thread = trace_begin(); /* allocations of the search are not the program's */
	function = real_function(real);
	if (thread)
		trace_end(thread);
	is_searching = false;
	return function;
}
