/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For programs that say what is recorded of them: link with -lcollectorAPI. Each function
 * does nothing where no recording is going on, so calls can stay in what is shipped.
 * libcollector(3) has the details.
 */
#ifndef COLLECTORAPI_H
#define COLLECTORAPI_H

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Code from this offset up to that of the next entry is of this line. */
typedef struct Lineno {
	unsigned int offset;
	unsigned int lineno;
} Lineno;

/* A sample of what the process has used, with a label, which may be NULL. */
void collector_sample(const char *name);

/* No events of any thread, until resumed; samples go on. */
void collector_pause(void);
void collector_resume(void);

/* The same for one thread; it records only if the process does, too. */
void collector_thread_pause(pthread_t thread);
void collector_thread_resume(pthread_t thread);

/* The end of the recording; the program goes on. */
void collector_terminate_expt(void);

/* Code that was made at run time, until unloaded. name is shown for it; alias and
 * sourcename may be NULL. lntable has lntsize entries with ascending offsets; 0 and NULL:
 * none. */
void collector_func_load(const char *name, const char *alias, const char *sourcename,
			 void *vaddr, int size, int lntsize, Lineno *lntable);
void collector_func_unload(void *vaddr);

#ifdef __cplusplus
}
#endif

#endif
