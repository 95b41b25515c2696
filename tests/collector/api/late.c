/* SPDX-License-Identifier: Apache-2.0 */
/* A program with calls of the API, into which the collector comes later: late LIBRARY
 * DIRECTORY. */

#include <dlfcn.h>
#include <stdio.h>

#include "collectorAPI.h"

int main(int argc, char **argv)
{
	void *library;
	char *buffer;
	int (*start)(void);
	int length;

	collector_sample("too early");
	collector_pause();
	if (argc < 3 || !(library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)))
		return 98;
	buffer = dlsym(library, "__collector_buffer");
	*(void **)&start = dlsym(library, "__collector_start");
	length = sprintf(buffer, "SP_COLLECTOR_EXPNAME=%s", argv[2]) + 1;
	length += sprintf(buffer + length, "SP_COLLECTOR_PARAMS=p:1000;S:1;") + 1;
	buffer[length] = '\0';
	if (start() != 0)
		return 97;
	collector_sample("in time");
	collector_pause();
	collector_resume();
	collector_terminate_expt();
	collector_sample("too late");
	puts("done");
	return 0;
}
