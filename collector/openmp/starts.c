/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wrappers of libgomp for programs of gcc before 4.9: one function begins a region, the
 * program itself calls the region's function, and another one ends the region. What the
 * other threads of the team run is kept until then, as long as regions are not nested too
 * deeply.
 */

#include <stddef.h>

#include "collector/base/memory.h"
#include "collector/openmp/body.h"
#include "collector/openmp/call.h"
#include "collector/threads/thread.h"

static __thread struct openmp_body *bodies; /* one for each level */

/* Returns the body for the next region of the thread; NULL: there is no room. */
static struct openmp_body *next_body(const struct thread *thread)
{
	if (!bodies)
		bodies = memory_get(OPENMP_LEVELS * sizeof(*bodies));
	return bodies && thread->openmp.level < OPENMP_LEVELS
		       ? &bodies[thread->openmp.level]
		       : NULL;
}

/* The frame of the runtime's function ends before the region does. Returns NULL if the
 * threads of the team are to run the function as it is. */
static struct openmp_body *begin(struct thread *thread, word function, word data,
				 word caller)
{
	struct openmp_body *body = next_body(thread);
	struct openmp_place place = openmp_begin_region(
		thread, NULL, (struct openmp_site){ caller, function });

	if (body)
		*body = (struct openmp_body){
			.function = (void (*)(word))(uintptr_t)function,
			.data = data,
			.place = place,
		};
	return body;
}

#define EXPORT __attribute__((visibility("default"), used))

#define PARAMETERS_3		word function, word data, word c
#define WORDS_3(function, data) function, data, c
#define PARAMETERS_4		PARAMETERS_3, word d
#define WORDS_4(function, data) WORDS_3(function, data), d
#define PARAMETERS_6		PARAMETERS_4, word e, word f
#define WORDS_6(function, data) WORDS_4(function, data), e, f
#define PARAMETERS_7		PARAMETERS_6, word g
#define WORDS_7(function, data) WORDS_6(function, data), g

/* Without a runtime, which the program may ask for by a weak symbol, it calls the
 * function all the same. */
#define START(count, name)                                                            \
	OPENMP_CODE EXPORT void name(PARAMETERS_##count);                             \
	OPENMP_CODE EXPORT void name(PARAMETERS_##count)                              \
	{                                                                             \
		static struct openmp_real found = { { #name, NULL, NULL }, false };   \
		const void *caller = __builtin_return_address(0);                     \
		void (*const real)(PARAMETERS_##count) = openmp_real(&found, caller); \
		struct thread *thread = openmp_thread(&found);                        \
		struct openmp_body *body = NULL;                                      \
                                                                                      \
		if (!real)                                                            \
			return;                                                       \
		if (thread)                                                           \
			body = begin(thread, function, data, (word)caller);           \
		if (body)                                                             \
			real(WORDS_##count((word)(uintptr_t)openmp_body_run,          \
					   (word)(uintptr_t)body));                   \
		else                                                                  \
			real(WORDS_##count(function, data));                          \
		if (thread)                                                           \
			thread->openmp.now.state = EXPT_OMP_WORK;                     \
	}

START(3, GOMP_parallel_start)
START(7, GOMP_parallel_loop_static_start)
START(7, GOMP_parallel_loop_dynamic_start)
START(7, GOMP_parallel_loop_guided_start)
START(6, GOMP_parallel_loop_runtime_start)
START(4, GOMP_parallel_sections_start)

OPENMP_CODE EXPORT void GOMP_parallel_end(void);
OPENMP_CODE EXPORT void GOMP_parallel_end(void)
{
	static struct openmp_real found = { { "GOMP_parallel_end", NULL, NULL }, false };
	void (*const real)(void) = openmp_real(&found, __builtin_return_address(0));
	struct thread *thread = openmp_thread(&found);

	if (thread)
		thread->openmp.now.state = EXPT_OMP_IMPLICIT_BARRIER;
	if (real)
		real();
	if (thread)
		openmp_end_region(thread);
}
