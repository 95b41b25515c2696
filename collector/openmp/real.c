/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime that the program uses. */

#include <stddef.h>

#include "collector/common/settings.h"
#include "collector/openmp/call.h"
#include "collector/threads/openmp_user.h"

/* libomp has the functions of libgomp, too. */
static bool is_in_libomp(const void *function)
{
	return find_as_seen_by(function, "__kmpc_fork_call") != NULL;
}

static __attribute__((noinline)) void *find(struct openmp_real *real, const void *caller)
{
	void *function = real_function(&real->real);

	if (!function)
		function = find_as_seen_by(caller, real->real.name);
	if (!function || settings.without_openmp || is_in_libomp(function) ||
	    !openmp_note_runtime(function))
		atomic_store(&real->is_elsewhere, true);
	atomic_store(&real->real.function, function);
	return function;
}

void *openmp_real(struct openmp_real *real, const void *caller)
{
	void *function = atomic_load_explicit(&real->real.function, memory_order_acquire);

	return __builtin_expect(function != NULL, 1) ? function : find(real, caller);
}
