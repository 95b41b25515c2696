/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcollectorAPI: real functions that look up the recording library at run time. It may
 * be preloaded, or loaded later by a debugger; libcollector.so is never linked.
 */

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "collector/api.h"
#include "collector/api/collectorAPI.h"
#include "collector/experiment/dynamic.h"
#include "libexpt/format.h"

enum entry {
	SAMPLE,
	PAUSE,
	RESUME,
	THREAD_PAUSE,
	THREAD_RESUME,
	TERMINATE,
	FUNC_LOAD,
	FUNC_UNLOAD,
	ENTRIES,
};

static const char *const names[ENTRIES] = {
	[SAMPLE] = "__collector_sample",
	[PAUSE] = "__collector_pause",
	[RESUME] = "__collector_resume",
	[THREAD_PAUSE] = "__collector_thread_pause",
	[THREAD_RESUME] = "__collector_thread_resume",
	[TERMINATE] = "__collector_terminate_expt",
	[FUNC_LOAD] = "__collector_func_load",
	[FUNC_UNLOAD] = "__collector_func_unload",
};

static _Atomic(void *) entries[ENTRIES];
static _Atomic unsigned long long loads_seen; /* dlpi_adds at the last search */

struct search {
	unsigned long long loads;
	bool is_there;
};

static int search_objects(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	const char *slash = strrchr(info->dlpi_name, '/');

	search->loads = info->dlpi_adds;
	/* No object was loaded since: stop at the first one. */
	if (search->loads == atomic_load(&loads_seen))
		return 1;
	search->is_there = slash && strcmp(slash + 1, COLLECTOR_LIBRARY) == 0;
	return search->is_there;
}

/* Call dlsym() only if the library is loaded: a failure would overwrite the program's
 * dlerror(). */
static void look(void)
{
	struct search search = { 0, false };

	dl_iterate_phdr(search_objects, &search);
	if (search.loads == atomic_load(&loads_seen))
		return;
	if (search.is_there)
		for (int i = 0; i < ENTRIES; i++)
			atomic_store(&entries[i], dlsym(RTLD_DEFAULT, names[i]));
	atomic_store(&loads_seen, search.loads);
}

__attribute__((constructor)) static void look_at_start(void)
{
	look();
}

static void *find(enum entry entry)
{
	void *found = atomic_load_explicit(&entries[entry], memory_order_relaxed);
	int saved = errno;

	if (found)
		return found;
	look();
	errno = saved;
	return atomic_load(&entries[entry]);
}

/* ---- the functions ---- */

#pragma GCC visibility push(default)

void collector_sample(const char *name)
{
	void (*function)(const char *) = find(SAMPLE);

	if (function)
		function(name);
}

void collector_pause(void)
{
	void (*function)(void) = find(PAUSE);

	if (function)
		function();
}

void collector_resume(void)
{
	void (*function)(void) = find(RESUME);

	if (function)
		function();
}

void collector_thread_pause(pthread_t thread)
{
	void (*function)(pthread_t) = find(THREAD_PAUSE);

	if (function)
		function(thread);
}

void collector_thread_resume(pthread_t thread)
{
	void (*function)(pthread_t) = find(THREAD_RESUME);

	if (function)
		function(thread);
}

void collector_terminate_expt(void)
{
	void (*function)(void) = find(TERMINATE);

	if (function)
		function();
}

/* The recording library reads the one as the other. */
static_assert(sizeof(struct Lineno) == sizeof(struct dynamic_line), "one layout");

void collector_func_load(const char *name, const char *alias, const char *sourcename,
			 void *vaddr, int size, int lntsize, Lineno *lntable)
{
	void (*function)(const char *, const char *, const char *, void *, int, int,
			 Lineno *) = find(FUNC_LOAD);

	if (function)
		function(name, alias, sourcename, vaddr, size, lntsize, lntable);
}

void collector_func_unload(void *vaddr)
{
	void (*function)(void *) = find(FUNC_UNLOAD);

	if (function)
		function(vaddr);
}

#pragma GCC visibility pop
