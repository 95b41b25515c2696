/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup of the functions that the wrappers call. The lookup itself calls wrappers. */

#include "collector/heap/find.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "collector/base/late.h"
#include "collector/trace/trace.h"

extern struct real __start_heap_reals[] __attribute__((visibility("hidden")));
extern struct real __stop_heap_reals[] __attribute__((visibility("hidden")));

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

/* dlerror() calls these, and goes on to use what a search meanwhile frees. */
static bool is_for_dlerror(const struct real *real)
{
	return strcmp(real->name, "malloc") == 0 || strcmp(real->name, "realloc") == 0 ||
	       strcmp(real->name, "free") == 0;
}

/* The first calls of a preloaded library are those of the dynamic linker. When it is
 * opened late, they are the program's: of a thread, perhaps, for which another one waits
 * that holds the lock that a search takes. */
__attribute__((constructor)) static void find_in_advance(void)
{
	bool is_late = late_is(__start_heap_reals);
	int saved = errno;

	for (struct real *real = __start_heap_reals; real < __stop_heap_reals; real++)
		if (is_late || is_for_dlerror(real))
			heap_find(real);
	dlerror(); /* operators may not be there */
	errno = saved;
}
