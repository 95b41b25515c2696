/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of collectorAPI.h as macros that need no library: the entry points are
 * weak symbols, bound when the program starts. So they work only in the program itself,
 * if it is position independent (the default) and a collector is preloaded. New code
 * should use collectorAPI.h, which has no such limits.
 */
#ifndef LIBCOLLECTOR_H
#define LIBCOLLECTOR_H

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Source line of the code from this offset up to that of the next entry. */
typedef struct Lineno {
	unsigned int offset;
	unsigned int lineno;
} Lineno;

extern void __collector_sample(const char *) __attribute__((weak));
extern void __collector_pause(void) __attribute__((weak));
extern void __collector_resume(void) __attribute__((weak));
extern void __collector_thread_pause(pthread_t) __attribute__((weak));
extern void __collector_thread_resume(pthread_t) __attribute__((weak));
extern void __collector_terminate_expt(void) __attribute__((weak));
extern void __collector_func_load(const char *, const char *, const char *, void *, int,
				  int, Lineno *) __attribute__((weak));
extern void __collector_func_unload(void *) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#define COLLECTOR_CALL_(entry, arguments) (entry ? entry arguments : (void)0)

#define collector_sample(name)	       COLLECTOR_CALL_(__collector_sample, (name))
#define collector_pause()	       COLLECTOR_CALL_(__collector_pause, ())
#define collector_resume()	       COLLECTOR_CALL_(__collector_resume, ())
#define collector_thread_pause(thread) COLLECTOR_CALL_(__collector_thread_pause, (thread))
#define collector_thread_resume(thread) \
	COLLECTOR_CALL_(__collector_thread_resume, (thread))
#define collector_terminate_expt() COLLECTOR_CALL_(__collector_terminate_expt, ())
#define collector_func_load(name, alias, sourcename, vaddr, size, lntsize, lntable) \
	COLLECTOR_CALL_(__collector_func_load,                                      \
			(name, alias, sourcename, vaddr, size, lntsize, lntable))
#define collector_func_unload(vaddr) COLLECTOR_CALL_(__collector_func_unload, (vaddr))

#endif
