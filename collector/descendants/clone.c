/* SPDX-License-Identifier: Apache-2.0 */
/* clone, and the calls of syscall() that make children. */

#include "collector/descendants/clone.h"

#include <errno.h>
#include <linux/sched.h>
#include <stdarg.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/descendants/descendants.h"
#include "collector/descendants/vfork.h"
#include "collector/files/access.h"
#include "collector/process/guard.h"
#include "collector/process/own_time.h"
#include "collector/recording/recording.h"
#include "libexpt/format.h"

/* ---- clone with a copy of the memory ---- */

struct cloned {
	int (*function)(void *);
	void *argument;
	struct birth birth;
	uint64_t mask;
};

static int run_cloned(void *data)
{
	struct cloned cloned = *(struct cloned *)data;
	int status;

	descendants_become(&cloned.birth, cloned.mask);
	collector_leave(cloned.mask);
	status = cloned.function(cloned.argument);
	collector_end(); /* libc ends the process when this function returns */
	return status;
}

/* The arguments of clone() after the first four. */
struct clone_rest {
	void *parent_tid, *tls, *child_tid;
};

typedef int (*clone_function)(int (*)(void *), void *, int, void *, ...);

static int clone_copy(clone_function real, struct cloned *cloned, void *stack, int flags,
		      const struct clone_rest *rest)
{
	int pid, saved;

	cloned->birth = (struct birth){ .variant = "clone", .element = LINEAGE_CLONE };
	cloned->mask = collector_enter();
	descendants_begin(&cloned->birth);
	access_before_fork();
	own_time_end();
	pid = real(run_cloned, stack, flags, cloned, rest->parent_tid, rest->tls,
		   rest->child_tid);
	saved = errno;
	own_time_begin();
	access_after_fork_in_parent();
	descendants_born(&cloned->birth, pid, saved);
	collector_leave(cloned->mask);
	errno = saved;
	return pid;
}

/* Like vfork(), but the child has a stack of its own. The program's signal mask is in
 * force while the child runs. */
static int clone_waiting(clone_function real, const struct cloned *cloned, void *stack,
			 int flags, const struct clone_rest *rest)
{
	struct birth birth = { .variant = "clone", .element = LINEAGE_FORK };
	uint64_t mask = collector_enter();
	bool is_noted = descendants_begin_vfork(&birth);
	int pid, saved;

	collector_leave(mask);
	pid = real(cloned->function, stack, flags, cloned->argument, rest->parent_tid,
		   rest->tls, rest->child_tid);
	if (!is_noted)
		return pid;
	saved = errno;
	mask = collector_enter();
	descendants_end_vfork(&birth, pid, saved);
	collector_leave(mask);
	errno = saved;
	return pid;
}

INTERPOSE(int, clone_2_2_5, "clone@@GLIBC_2.2.5",
	  (int (*function)(void *), void *stack, int flags, void *argument, ...))
{
	REAL(clone, "GLIBC_2.2.5", int, (int (*)(void *), void *, int, void *, ...));
	struct cloned cloned = { .function = function, .argument = argument };
	struct clone_rest rest;
	va_list list;

	va_start(list, argument);
	rest.parent_tid = va_arg(list, void *);
	rest.tls = va_arg(list, void *);
	rest.child_tid = va_arg(list, void *);
	va_end(list);
	if (function && (flags & (CLONE_VM | CLONE_FILES)) == 0 &&
	    descendants_place() == PLACE_OWN)
		return clone_copy(real, &cloned, stack, flags, &rest);
	if ((flags & (CLONE_VM | CLONE_VFORK | CLONE_THREAD | CLONE_SETTLS)) ==
		    (CLONE_VM | CLONE_VFORK) &&
	    descendants_place() == PLACE_OWN)
		return clone_waiting(real, &cloned, stack, flags, &rest);
	return real(function, stack, flags, argument, rest.parent_tid, rest.tls,
		    rest.child_tid);
}

/* ---- syscall() ---- */

/* The child returns from this frame, too: it has no other stack. */
static long make_child(struct birth birth, const long numbers[7])
{
	REAL(syscall, "GLIBC_2.2.5", long, (long, ...));
	uint64_t mask = collector_enter();
	long pid;
	int saved;

	descendants_begin(&birth);
	access_before_fork();
	own_time_end();
	pid = real(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5],
		   numbers[6]);
	saved = errno;
	if (pid == 0) {
		descendants_become(&birth, mask);
	} else {
		own_time_begin();
		access_after_fork_in_parent();
		descendants_born(&birth, (pid_t)pid, saved);
	}
	collector_leave(mask);
	errno = saved;
	return pid;
}

static long fork_by_number(long number, long a, long b, long c, long d, long e, long f)
{
	const long numbers[] = { number, a, b, c, d, e, f };

	return make_child((struct birth){ .variant = "fork", .element = LINEAGE_FORK },
			  numbers);
}

static long clone_by_number(long number, long a, long b, long c, long d, long e, long f)
{
	const long numbers[] = { number, a, b, c, d, e, f };

	return make_child((struct birth){ .variant = "clone", .element = LINEAGE_CLONE },
			  numbers);
}

/* Does the child share neither memory nor descriptors, and return to its caller? */
static bool is_copy(uint64_t flags, uint64_t stack)
{
	return (flags & (CLONE_VM | CLONE_FILES)) == 0 && stack == 0;
}

static bool makes_copy(long number, long first, long second)
{
	const struct clone_args *arguments = (const void *)first;

	if (number == SYS_clone)
		return is_copy((uint64_t)first, (uint64_t)second);
	return number == SYS_clone3 && arguments &&
	       (size_t)second >= CLONE_ARGS_SIZE_VER0 &&
	       is_copy(arguments->flags, arguments->stack);
}

void *descendants_system_call(long number, long first, long second)
{
	if (number != SYS_fork && !makes_copy(number, first, second))
		return NULL;
	if (collector_is_frozen() || descendants_place() != PLACE_OWN)
		return NULL;
	return number == SYS_fork ? (void *)fork_by_number : (void *)clone_by_number;
}
