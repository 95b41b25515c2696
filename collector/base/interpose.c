/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup of the functions that the wrappers call. */

#include "collector/base/interpose.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "collector/base/late.h"

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

static bool is_late;

/* Other constructors look up functions. */
__attribute__((constructor(101))) static void find_place(void)
{
	is_late = late_is(&is_late);
}

static bool is_ours(void *function)
{
	Dl_info self, other;
	const char *name;

	if (dladdr(&is_late, &self) == 0 || dladdr(function, &other) == 0)
		return false;
	name = strrchr(self.dli_fname, '/');
	return name && strncmp(self.dli_fname, other.dli_fname,
			       (size_t)(name + 1 - self.dli_fname)) == 0;
}

/* RTLD_NEXT sees only what this library needs itself: libcollector.so, which has wrappers
 * of some of the functions, and then libc. */
static void *find_late(const struct real *real)
{
	void *next = find_in_libc(real);
	void *first = late_find(real->name, real->version);

	return !first || first == next || (next && is_ours(next)) ? next : first;
}

static void *object_of(void *function)
{
	Dl_info info;

	return function && dladdr(function, &info) != 0 ? info.dli_fbase : NULL;
}

static void *find_preloaded(const struct real *real)
{
	void *function = find_in_libc(real);
	/* Another wrapper after this library has no symbol versions, so dlvsym() skips
	 * it. */
	void *next = dlsym(RTLD_NEXT, real->name);

	if (next && next != function && object_of(next) != object_of(function))
		return next;
	return function;
}

void *real_function(struct real *real)
{
	void *function = atomic_load_explicit(&real->function, memory_order_relaxed);

	if (function)
		return function;
	function = is_late ? find_late(real) : find_preloaded(real);
	atomic_store_explicit(&real->function, function, memory_order_relaxed);
	return function;
}

void *find_as_seen_by(const void *code, const char *name)
{
	void *library, *found;
	Dl_info info;

	if (dladdr(code, &info) == 0)
		return NULL;
	library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return NULL;
	found = dlsym(library, name);
	dlclose(library);
	return found;
}
