/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/late.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A library that lacks a function stays loaded, but counts as missing. */
static const char *load(struct late_library *library)
{
	void *handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);

	if (!handle)
		return dlerror();
	for (size_t i = 0; i < library->count; i++) {
		const struct late_function *function = &library->functions[i];
		void *address = dlsym(handle, function->name);

		if (!address)
			return dlerror();
		memcpy(function->pointer, &address, sizeof(address));
	}
	library->is_loaded = true;
	return NULL;
}

const char *late_load(struct late_library *library)
{
	const char *why;

	pthread_mutex_lock(&lock);
	why = library->is_loaded ? NULL : load(library);
	pthread_mutex_unlock(&lock);
	return why;
}
