/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operators new and delete of C++, in all their forms. They are wrapped although most
 * call malloc: the operator is what the program calls, and some allocators do not call
 * malloc.
 */

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

#include "collector/heap/heap.h"

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

/* The library that has the operators, once known. It is kept loaded. */
static _Atomic(void *) home;

static const void *object_of(const void *address)
{
	Dl_info info;

	return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

static void *find_in(void *handle, const char *name)
{
	void *function = dlsym(handle, name);

	return function && object_of(function) != __ehdr_start ? function : NULL;
}

static void make_home(const void *function)
{
	Dl_info info;

	if (dladdr(function, &info) != 0)
		atomic_store(&home, dlopen(info.dli_fname,
					   RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE));
}

/*
 * A C program may load a library in C++ at run time: then the operators are not in any
 * object that the program was started with, but in a dependency of the library, or in the
 * library itself, which may be unloaded.
 */
static void *find_near(const char *name, const void *caller)
{
	Dl_info info;
	void *handle = dladdr(caller, &info) != 0
			       ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
			       : NULL;
	void *function;

	if (!handle)
		return NULL;
	function = find_in(handle, name);
	if (function && object_of(function) != info.dli_fbase)
		make_home(function);
	dlclose(handle);
	return function;
}

static void *find_later(struct real *real, const void *caller)
{
	void *library = atomic_load(&home);
	void *function = library ? find_in(library, real->name) : NULL;

	if (!function)
		return find_near(real->name, caller);
	atomic_store_explicit(&real->function, function, memory_order_relaxed);
	return function;
}

static void *find_operator(struct real *real, const void *caller)
{
	struct thread *thread = trace_begin(); /* the search allocates as well */
	void *function = heap_find(real);

	if (!function)
		function = find_later(real, caller);
	if (thread)
		trace_end(thread);
	return function;
}

#define OPERATOR(symbol, type, parameters)                                       \
	static struct real real_##symbol HEAP_SECTION = { #symbol, NULL, NULL }; \
	type(*const real) parameters =                                           \
		__builtin_expect(real_##symbol.function != NULL, 1)              \
			? atomic_load_explicit(&real_##symbol.function,          \
					       memory_order_relaxed)             \
			: find_operator(&real_##symbol, __builtin_return_address(0))

/* If the operator cannot be found again, use malloc and free: a library with operators of
 * its own calls one from another. */
#define NEW(symbol, parameters, fallback, ...)                          \
	HEAP_WRAPPER(void *, symbol, parameters)                        \
	{                                                               \
		OPERATOR(symbol, void *, parameters);                   \
		struct thread *thread;                                  \
                                                                        \
		TRACE_MAY_BE_LEFT;                                      \
		if (!real)                                              \
			return fallback;                                \
		thread = heap_begin();                                  \
		return heap_allocated(thread, real(__VA_ARGS__), size); \
	}
#define PLAIN	malloc(size)
#define ALIGNED memalign(alignment, size)

#define DELETE(symbol, parameters, ...)             \
	HEAP_WRAPPER(void, symbol, parameters)      \
	{                                           \
		OPERATOR(symbol, void, parameters); \
		struct thread *thread;              \
                                                    \
		if (!real) {                        \
			free(block);                \
			return;                     \
		}                                   \
		thread = heap_freeing(block);       \
		real(__VA_ARGS__);                  \
		heap_freed(thread);                 \
	}

NEW(_Znwm, (size_t size), PLAIN, size)
NEW(_Znam, (size_t size), PLAIN, size)
NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *nothrow), PLAIN, size, nothrow)
NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *nothrow), PLAIN, size, nothrow)
NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), ALIGNED, size, alignment)
NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), ALIGNED, size, alignment)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t,
    (size_t size, size_t alignment, const void *nothrow), ALIGNED, size, alignment,
    nothrow)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t,
    (size_t size, size_t alignment, const void *nothrow), ALIGNED, size, alignment,
    nothrow)

DELETE(_ZdlPv, (void *block), block)
DELETE(_ZdaPv, (void *block), block)
DELETE(_ZdlPvm, (void *block, size_t size), block, size)
DELETE(_ZdaPvm, (void *block, size_t size), block, size)
DELETE(_ZdlPvRKSt9nothrow_t, (void *block, const void *nothrow), block, nothrow)
DELETE(_ZdaPvRKSt9nothrow_t, (void *block, const void *nothrow), block, nothrow)
DELETE(_ZdlPvSt11align_val_t, (void *block, size_t alignment), block, alignment)
DELETE(_ZdaPvSt11align_val_t, (void *block, size_t alignment), block, alignment)
DELETE(_ZdlPvmSt11align_val_t, (void *block, size_t size, size_t alignment), block, size,
       alignment)
DELETE(_ZdaPvmSt11align_val_t, (void *block, size_t size, size_t alignment), block, size,
       alignment)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t,
       (void *block, size_t alignment, const void *nothrow), block, alignment, nothrow)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t,
       (void *block, size_t alignment, const void *nothrow), block, alignment, nothrow)
