/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup of the functions that the wrappers call, all when the library is loaded. */

#include <dlfcn.h>

#include "collector/sync/sync.h"

extern struct real *const __start_sync_reals[], *const __stop_sync_reals[]
	__attribute__((visibility("hidden")));
extern struct real *const __start_sync_attempts[], *const __stop_sync_attempts[]
	__attribute__((visibility("hidden")));

uint64_t sync_threshold_ns = UINT64_MAX;

/* Does no other library interpose the function between this one and libc? */
static bool is_of_libc(struct real *real)
{
	return real_function(real) == dlvsym(RTLD_NEXT, real->name, real->version);
}

__attribute__((constructor)) static void find(void)
{
	bool are_of_libc = true;

	for (struct real *const *at = __start_sync_reals; at < __stop_sync_reals; at++)
		if (!is_of_libc(*at))
			are_of_libc = false;
	for (struct real *const *at = __start_sync_attempts;
	     at < __stop_sync_attempts && are_of_libc; at++)
		real_function(*at);
	sync_tell_threshold(&sync_threshold_ns);
}
