/* SPDX-License-Identifier: Apache-2.0 */
/* Objects loaded and unloaded while the program is recorded. */

#include "situation.h"

#include <dlfcn.h>
#include <iconv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void report(const char *what, void *handle)
{
	printf("%s %d\n", what, handle != NULL);
	if (!handle)
		puts(dlerror());
}

/* A name without a slash is found through the program's own RUNPATH. */
static int by_name(char **arguments)
{
	void *handle = dlopen(arguments[0], RTLD_NOW);
	void (*work)(double);

	report("dlopen", handle);
	if (!handle)
		return 1;
	work = (void (*)(double))dlsym(handle, "work_in_library");
	work(.1);
	printf("dlclose %d\n", dlclose(handle));
	burn(.02);
	report("missing", dlopen("libnowhere.so", RTLD_NOW));
	report("loaded", dlopen(NULL, RTLD_NOW));
	return 0;
}

static void *burn_meanwhile(void *argument)
{
	burn(.3);
	return NULL;
}

/* Loads all arguments together, and never unloads them. */
static int keep(char **arguments)
{
	int failed = 0;

	for (; *arguments; arguments++)
		failed += !dlopen(*arguments, RTLD_NOW);
	printf("failed %d\n", failed);
	return 0;
}

static int storm(char **arguments)
{
	pthread_t thread;
	int failed = 0;

	pthread_create(&thread, NULL, burn_meanwhile, NULL);
	for (int i = 0; i < 200; i++) {
		void *handle = dlopen(arguments[0],
				      i % 2 ? RTLD_NOW : RTLD_LAZY | RTLD_DEEPBIND);

		if (!handle)
			failed++;
		else
			((void (*)(double))dlsym(handle, "work_in_library"))(.001);
		failed += !handle || dlclose(handle) != 0;
	}
	pthread_join(thread, NULL);
	printf("failed %d\n", failed);
	return 0;
}

static int conversion(char **arguments)
{
	static char wide[65536], text[16384];
	iconv_t converter = iconv_open("UTF-32", "EBCDIC-INT");
	double end = cpu_seconds() + atof(arguments[0]);

	report("converter", converter == (iconv_t)-1 ? NULL : converter);
	memset(text, 0xc1, sizeof(text));
	while (cpu_seconds() < end) {
		char *from = text, *to = wide;
		size_t left = sizeof(text), room = sizeof(wide);

		iconv(converter, &from, &left, &to, &room);
	}
	return 0;
}

static const struct situation situations[] = {
	{ "by_name", by_name }, { "conversion", conversion },
	{ "storm", storm },	{ "keep", keep },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
