/* SPDX-License-Identifier: Apache-2.0 */
/* Wrappers of libgomp: parallel regions, and what threads wait for. */

#include <stddef.h>

#include "collector/openmp/body.h"
#include "collector/openmp/call.h"
#include "collector/process/guard.h"
#include "collector/threads/thread.h"

#define PARAMETERS_0 void
#define WORDS_0
#define PARAMETERS_1		word a
#define WORDS_1			a
#define PARAMETERS_4		word function, word data, word c, word d
#define WORDS_4(function, data) function, data, c, d
#define PARAMETERS_5		PARAMETERS_4, word e
#define WORDS_5(function, data) WORDS_4(function, data), e
#define PARAMETERS_7		PARAMETERS_5, word f, word g
#define WORDS_7(function, data) WORDS_5(function, data), f, g
#define PARAMETERS_8		PARAMETERS_7, word h
#define WORDS_8(function, data) WORDS_7(function, data), h

/* A program may ask for the runtime by a weak symbol, and then finds ours without one. */
static word run_alone(word function, word data)
{
	((void (*)(word))(uintptr_t)function)(data);
	return 0;
}

#define EXPORT __attribute__((visibility("default"), used))

#define REGION(count, name, words)                                                    \
	OPENMP_CODE EXPORT word name(PARAMETERS_##count);                             \
	OPENMP_CODE EXPORT word name(PARAMETERS_##count)                              \
	{                                                                             \
		static struct openmp_real found = { { #name, NULL, NULL }, false };   \
		const void *caller = __builtin_return_address(0);                     \
		word (*const real)(PARAMETERS_##count) = openmp_real(&found, caller); \
		struct thread *thread = openmp_thread(&found);                        \
		struct openmp_body body;                                              \
		word result;                                                          \
                                                                                      \
		if (!thread && real)                                                  \
			return real(WORDS_##count(function, data));                   \
		if (!thread)                                                          \
			return run_alone(function, data);                             \
		body.first = (words) > 0 ? *(const word *)(uintptr_t)data : 0;        \
		body.function = (void (*)(word))(uintptr_t)function;                  \
		body.data = data;                                                     \
		body.place = openmp_begin_region(thread, __builtin_frame_address(0),  \
						 (struct openmp_site){ (word)caller,  \
								       function });   \
		result = real(WORDS_##count((word)(uintptr_t)openmp_body_run,         \
					    (word)(uintptr_t)&body));                 \
		if (thread_self)                                                      \
			openmp_end_region(thread_self);                               \
		return result;                                                        \
	}

#define WAIT(count, name, meanwhile)                                                \
	OPENMP_CODE EXPORT word name(PARAMETERS_##count);                           \
	OPENMP_CODE EXPORT word name(PARAMETERS_##count)                            \
	{                                                                           \
		static struct openmp_real found = { { #name, NULL, NULL }, false }; \
		word (*const real)(PARAMETERS_##count) =                            \
			openmp_real(&found, __builtin_return_address(0));           \
		struct thread *thread = openmp_thread(&found);                      \
		enum expt_omp_state before;                                         \
		word result;                                                        \
                                                                                    \
		if (!thread)                                                        \
			return real ? real(WORDS_##count) : 0;                      \
		before = thread->openmp.now.state;                                  \
		thread->openmp.now.state = meanwhile;                               \
		result = real(WORDS_##count);                                       \
		thread->openmp.now.state = before;                                  \
		return result;                                                      \
	}

#include "collector/openmp/calls.h"
