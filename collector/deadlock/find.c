/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup of the functions that the wrappers call, all when the library is loaded. */

#include <dlfcn.h>

#include "collector/deadlock/wrapper.h"

extern struct real *const __start_order_reals[], *const __stop_order_reals[]
	__attribute__((visibility("hidden")));
extern struct real *const __start_order_attempts[], *const __stop_order_attempts[]
	__attribute__((visibility("hidden")));

/* Does no other library interpose the function between this one and libc? */
static bool is_of_libc(struct real *real)
{
	return real_function(real) == dlvsym(RTLD_NEXT, real->name, real->version);
}

static bool is_needed_version(const struct real *real)
{
	return dlvsym(RTLD_NEXT, real->name, real->version) != NULL;
}

__attribute__((constructor)) static void find(void)
{
	bool are_of_libc = true;

	for (struct real *const *at = __start_order_reals; at < __stop_order_reals; at++)
		if (is_needed_version(*at) && !is_of_libc(*at))
			are_of_libc = false;
	for (struct real *const *at = __start_order_attempts;
	     at < __stop_order_attempts && are_of_libc; at++)
		real_function(*at);
}
