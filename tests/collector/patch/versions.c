/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with several versions: each slot leads to the wrapper of its version, and
 * back to what it was. The addresses are read from slots each time (-fPIC). */

#include <pthread.h>
#include <spawn.h>

#include "late.h"

#define FUNCTIONS(f)                                                               \
	f(pthread_create, "GLIBC_2.2.5",                                           \
	  pthread_create_old) f(posix_spawn, "GLIBC_2.2.5", posix_spawn_old)       \
		f(posix_spawn, "GLIBC_2.15", posix_spawn_new)                      \
			f(pthread_cond_wait, "GLIBC_2.2.5", pthread_cond_wait_old) \
				f(pthread_cond_wait, "GLIBC_2.3.2",                \
				  pthread_cond_wait_new)

#define DECLARE(name, version, local) \
	extern void local(void);      \
	__asm__(".symver " #local "," #name "@" version);
FUNCTIONS(DECLARE)

static const struct {
	const char *name, *version;
} functions[] = {
#define NAME(name, version, local) { #name, version },
	FUNCTIONS(NAME)
};
#define COUNT (sizeof(functions) / sizeof(functions[0]))

static __attribute__((noinline)) void read_slots(void *values[COUNT])
{
	void (*const all[])(void) = {
#define ADDRESS(name, version, local) local,
		FUNCTIONS(ADDRESS)
	};

	memcpy(values, all, sizeof(all));
}

static void *wrapper(void *const libraries[], size_t i)
{
	void *found = NULL;

	for (; *libraries && !found; libraries++) {
		void *at = dlvsym(*libraries, functions[i].name, functions[i].version);
		Dl_info info;

		if (at && dladdr(at, &info) != 0 && strstr(info.dli_fname, "/erkit/"))
			found = at;
	}
	return found;
}

int main(void)
{
	void *before[COUNT], *during[COUNT], *after[COUNT], *libraries[3] = { NULL };
	int failed = 0;

	read_slots(before);
	libraries[0] = late_begin();
	libraries[1] = dlopen("libcollector-sync.so", RTLD_NOW | RTLD_NOLOAD);
	read_slots(during);
	late_end(libraries[0]);
	read_slots(after);
	for (size_t i = 0; i < COUNT; i++) {
		int is_right = during[i] == wrapper(libraries, i) &&
			       during[i] != before[i] && after[i] == before[i];

		if (!is_right)
			printf("%s@%s\n", functions[i].name, functions[i].version);
		failed += !is_right;
	}
	printf("%d of %zu failed\n", failed, COUNT);
	return 0;
}
