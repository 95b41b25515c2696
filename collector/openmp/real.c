/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime that the program uses. */

#include <dlfcn.h>

#include "collector/common/settings.h"
#include "collector/openmp/call.h"
#include "collector/threads/openmp_user.h"

/* Find it in what the caller's library needs, if that was opened for itself alone, as by
 * interpreters. */
static void *find_for(const void *caller, const char *name)
{
	void *library, *found;
	Dl_info info;

	if (dladdr(caller, &info) == 0)
		return NULL;
	library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return NULL;
	found = dlsym(library, name);
	dlclose(library);
	return found;
}

/* libomp has the functions of libgomp, too. */
static bool is_in_libomp(void *function)
{
	void *library, *found;
	Dl_info info;

	if (dladdr(function, &info) == 0)
		return false;
	library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return false;
	found = dlsym(library, "__kmpc_fork_call");
	dlclose(library);
	return found;
}

static __attribute__((noinline)) void *find(struct openmp_real *real, const void *caller)
{
	void *function = real_function(&real->real);

	if (!function)
		function = find_for(caller, real->real.name);
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
