/* SPDX-License-Identifier: Apache-2.0 */
/* Known numbers of calls: blocks are allocated 30 times, a mutex is locked 20 times, and
 * a file is written 10 times. */
#ifndef TESTS_PATCH_SITUATION_H
#define TESTS_PATCH_SITUATION_H

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define CALLS(place) CALLS_IN(place)
#define CALLS_IN(place)                                                   \
	void calls_in_##place(int fd);                                    \
	__attribute__((noinline)) void calls_in_##place(int fd)           \
	{                                                                 \
		static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; \
		void *volatile block;                                     \
                                                                          \
		for (int i = 0; i < 30; i++) {                            \
			block = malloc(100);                              \
			free(block);                                      \
		}                                                         \
		for (int i = 0; i < 20; i++) {                            \
			pthread_mutex_lock(&mutex);                       \
			pthread_mutex_unlock(&mutex);                     \
		}                                                         \
		for (int i = 0; i < 10; i++)                              \
			if (write(fd, "x", 1) != 1)                       \
				abort();                                  \
	}

#endif
