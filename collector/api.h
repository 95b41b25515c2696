/* SPDX-License-Identifier: Apache-2.0 */
/* Entry points of the recording library, by the names that programs look up. */
#ifndef COLLECTOR_API_H
#define COLLECTOR_API_H

#include <pthread.h>

struct Lineno; /* of collectorAPI.h */

#pragma GCC visibility push(default)

void __collector_sample(const char *name);
void __collector_pause(void);
void __collector_resume(void);
void __collector_thread_pause(pthread_t thread);
void __collector_thread_resume(pthread_t thread);
void __collector_terminate_expt(void);
void __collector_func_load(const char *name, const char *alias, const char *sourcename,
			   void *vaddr, int size, int lntsize, struct Lineno *lntable);
void __collector_func_unload(void *vaddr);

#pragma GCC visibility pop

#endif
