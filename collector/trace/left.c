/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traced calls that do not return: a handler jumps out of them, an exception passes
 * through them, or the thread ends in them. This file is part of each library of
 * wrappers.
 */

#include "collector/base/interpose.h"
#include "collector/trace/trace.h"

/* ---- jumps: they may stay within the call, but hardly ever do ---- */

/* Defined under other names, because compilers know these functions. */
#define JUMP(name, version)                                                \
	__attribute__((visibility("default"), noreturn)) void jump_##name( \
		void *place, int value) __asm__(#name);                    \
	void jump_##name(void *place, int value)                           \
	{                                                                  \
		REAL(name, version, void, (void *, int));                  \
                                                                           \
		trace_left();                                              \
		real(place, value);                                        \
		__builtin_unreachable();                                   \
	}

JUMP(longjmp, "GLIBC_2.2.5")
JUMP(_longjmp, "GLIBC_2.2.5")
JUMP(siglongjmp, "GLIBC_2.2.5")
JUMP(__longjmp_chk, "GLIBC_2.11")

/* ---- exceptions, and the end of a thread; see TRACE_MAY_BE_LEFT ---- */

enum { UNWIND_ACTION_CLEANUP = 2, UNWIND_CONTINUE = 8 };

/* A personality routine of the C++ ABI. */
__attribute__((visibility("hidden"))) int
trace_unwound(int version, int actions, uint64_t type, void *exception, void *context);
int trace_unwound(int version, int actions, uint64_t type, void *exception, void *context)
{
	if ((actions & UNWIND_ACTION_CLEANUP) != 0)
		trace_left();
	return UNWIND_CONTINUE;
}
