/* SPDX-License-Identifier: Apache-2.0 */
/* Lookup of the functions that the wrappers call, all when the library is loaded. */

#include <dlfcn.h>

#include "collector/io/io.h"

extern struct real __start_io_reals[] __attribute__((visibility("hidden")));
extern struct real __stop_io_reals[] __attribute__((visibility("hidden")));

__attribute__((constructor)) static void find_all(void)
{
	int saved = errno;

	for (struct real *real = __start_io_reals; real < __stop_io_reals; real++)
		real_function(real);
	dlerror(); /* this libc may lack some of them */
	errno = saved;
}
