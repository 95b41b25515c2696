/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the functions behind the wrappers. */

#include <collector/interpose.h>
#include <dlfcn.h>

void *real_function(struct real *real)
{
	void *function = atomic_load_explicit(&real->function, memory_order_relaxed);

	if (function != NULL)
		return function;
	if (real->version != NULL)
		function = dlvsym(RTLD_NEXT, real->name, real->version);
	if (function == NULL)
		function = dlsym(RTLD_NEXT, real->name);
	atomic_store_explicit(&real->function, function, memory_order_relaxed);
	return function;
}
