/* SPDX-License-Identifier: Apache-2.0 */
/*
 * busy MODULE EXPERIMENT,... - is recorded again and again while threads make calls
 * through the slots that change, and one opens and closes the module. Prints how many
 * calls did not do what they should.
 */

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "late.h"
#include "situation.h"

CALLS(program)

static _Atomic int failed;
static _Atomic bool is_over;
static const char *module;

static void *call(void *file)
{
	while (!is_over)
		calls_in_program(*(int *)file);
	return NULL;
}

static void *open_and_close(void *file)
{
	for (unsigned i = 0; !is_over; i++) {
		void *library = dlopen(module, i % 2 ? RTLD_NOW : RTLD_LAZY);
		void (*calls)(int) = NULL;

		if (library)
			calls = (void (*)(int))dlsym(library, "calls_in_module");
		if (!calls) {
			failed++;
			continue;
		}
		calls(*(int *)file);
		dlclose(library);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int file = open("/dev/null", O_WRONLY | O_CLOEXEC);
	pthread_t threads[4];
	char *rest = NULL;

	if (argc < 3)
		return 99;
	module = argv[1];
	for (int i = 0; i < 4; i++)
		failed += pthread_create(&threads[i], NULL,
					 i == 0 ? open_and_close : call, &file) != 0;
	for (char *name = strtok_r(argv[2], ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest)) {
		setenv("LATE_SP_COLLECTOR_EXPNAME", name, 1);
		usleep(2000);
		void *collector = late_begin();

		calls_in_program(file);
		usleep(20000);
		late_end(collector);
	}
	is_over = true;
	for (int i = 0; i < 4; i++)
		failed += pthread_join(threads[i], NULL) != 0;
	printf("%d failed\n", failed);
	return 0;
}
