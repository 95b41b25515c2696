/* SPDX-License-Identifier: Apache-2.0 */
/* A dlopen() that informs the unwinder. */
#ifndef TESTS_COLLECTOR_PRELOAD_DLOPEN_H
#define TESTS_COLLECTOR_PRELOAD_DLOPEN_H

#include <dlfcn.h>
#include <stddef.h>

#include "collector/unwind/unwind.h"

/* The unwinder must know later libraries, too. */
__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
	static void *(*real)(const char *, int);
	void *object;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	object = real(name, flags);
	unwind_refresh();
	return object;
}

#endif
