/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup of the functions that the wrappers call. */

#include "collector/base/interpose.h"

#include <dlfcn.h>

static void *find_in_libc(const struct real *real)
{
	void *function = NULL;

	if (real->version)
		function = dlvsym(RTLD_NEXT, real->name, real->version);
	return function ? function : dlsym(RTLD_NEXT, real->name);
}

void *libc_function(struct real *real)
{
	void *function = atomic_load_explicit(&real->function, memory_order_relaxed);

	if (function)
		return function;
	function = find_in_libc(real);
	/* A library that only a preloaded one needs comes after libc. */
	if (!function)
		function = dlsym(RTLD_DEFAULT, real->name);
	atomic_store_explicit(&real->function, function, memory_order_relaxed);
	return function;
}

static void *object_of(void *function)
{
	Dl_info info;

	return function && dladdr(function, &info) != 0 ? info.dli_fbase : NULL;
}

void *real_function(struct real *real)
{
	void *function = atomic_load_explicit(&real->function, memory_order_relaxed);
	void *next;

	if (function)
		return function;
	function = find_in_libc(real);
	/* Another wrapper after this library has no symbol versions, so dlvsym() skips
	 * it. */
	next = dlsym(RTLD_NEXT, real->name);
	if (next && next != function && object_of(next) != object_of(function))
		function = next;
	atomic_store_explicit(&real->function, function, memory_order_relaxed);
	return function;
}
