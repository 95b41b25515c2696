/* SPDX-License-Identifier: Apache-2.0 */
/*
 * patched MODULE... - how long does it take to lead the calls of these modules to our
 * wrappers, to see that nothing has changed, to take in one more module, and to put
 * everything back? The libraries of wrappers are named in the environment, as for
 * tests/collector/patch/late.h. Prints the counts of modules and slots, and milliseconds.
 */

#include <link.h>
#include <time.h>

#include "collector/patch/patch.h"
#include "tests/collector/patch/late.h"

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int count(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)info;
	(void)size;
	++*(int *)data;
	return 0;
}

int main(int argc, char **argv)
{
	struct patch_counts counts;
	int modules = 0;
	double times[5];

	for (int i = 1; i < argc - 1; i++)
		if (!dlopen(argv[i], RTLD_NOW))
			late_fail(dlerror());
	late_open_libraries();
	dl_iterate_phdr(count, &modules);
	times[0] = now_ms();
	counts = patch_apply();
	times[1] = now_ms();
	patch_refresh();
	times[2] = now_ms();
	if (argc > 1 && !dlopen(argv[argc - 1], RTLD_NOW))
		late_fail(dlerror());
	times[3] = now_ms();
	patch_refresh();
	times[4] = now_ms();
	printf("%d %u %.3f %.3f %.3f", modules, counts.patched, times[1] - times[0],
	       times[2] - times[1], times[4] - times[3]);
	times[0] = now_ms();
	patch_undo();
	printf(" %.3f\n", now_ms() - times[0]);
	return 0;
}
