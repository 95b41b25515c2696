/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/late.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "libexpt/error.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A library stays loaded, but one that lacks something is none. */
static int load(struct late_library *library, struct expt_error *err)
{
	void *handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);

	if (!handle)
		return expt_fail(err, -ELIBACC, "%s", dlerror());
	for (size_t i = 0; i < library->count; i++) {
		const struct late_function *function = &library->functions[i];
		void *address = dlsym(handle, function->name);

		if (!address)
			return expt_fail(err, -ELIBACC, "%s", dlerror());
		memcpy(function->pointer, &address, sizeof address);
	}
	library->is_loaded = true;
	return 0;
}

int late_load(struct late_library *library, struct expt_error *err)
{
	int rc;

	pthread_mutex_lock(&lock);
	rc = library->is_loaded ? 0 : load(library, err);
	pthread_mutex_unlock(&lock);
	return rc;
}
