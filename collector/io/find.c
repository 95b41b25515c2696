/* SPDX-License-Identifier: Apache-2.0 */
/* The functions behind the wrappers, all found at once. */

#include <dlfcn.h>

#include "collector/io/io.h"

extern struct real __start_io_reals[] __attribute__((visibility("hidden")));
extern struct real __stop_io_reals[] __attribute__((visibility("hidden")));

__attribute__((constructor)) static void find_all(void)
{
	int saved = errno;

	for (struct real *real = __start_io_reals; real < __stop_io_reals; real++)
		real_function(real);
	dlerror(); /* this libc need not have all of them */
	errno = saved;
}
