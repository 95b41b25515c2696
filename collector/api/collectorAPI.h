/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions by which programs control their own recording: link with -lcollectorAPI. They
 * do nothing when nothing is recorded, so calls can stay in released programs.
 * libcollector(3) has the details.
 */
#ifndef COLLECTORAPI_H
#define COLLECTORAPI_H

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Source line of the code from this offset up to that of the next entry. */
typedef struct Lineno {
	unsigned int offset;
	unsigned int lineno;
} Lineno;

/* Take a sample of the resources used so far, with a label, which may be NULL. */
void collector_sample(const char *name);

/* Record no events of any thread until resumed; samples continue. */
void collector_pause(void);
void collector_resume(void);

/* The same for one thread, which records only while the process does, too. */
void collector_thread_pause(pthread_t thread);
void collector_thread_resume(pthread_t thread);

/* End the recording; the program goes on. */
void collector_terminate_expt(void);

/* Announce code made at run time, until it is unloaded. name is shown for it; alias and
 * sourcename may be NULL. lntable has lntsize entries with ascending offsets; 0 and NULL:
 * none. */
void collector_func_load(const char *name, const char *alias, const char *sourcename,
			 void *vaddr, int size, int lntsize, Lineno *lntable);
void collector_func_unload(void *vaddr);

#ifdef __cplusplus
}
#endif

#endif
