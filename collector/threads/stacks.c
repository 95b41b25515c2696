/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/threads/stacks.h"

#include <dlfcn.h>
#include <link.h>

#include "collector/common/settings.h"
#include "collector/threads/java.h"
#include "collector/threads/openmp.h"
#include "collector/threads/openmp_user.h"
#include "libexpt/format.h"

bool stacks_is_own(uint64_t pc)
{
	extern const char __ehdr_start[], etext[] __attribute__((visibility("hidden")));

	return pc >= (uintptr_t)__ehdr_start && pc < (uintptr_t)etext;
}

/* Run-time of a sanitizer: the program calls it, and it calls our wrappers; see
 * common/sanitizer.h. */
static struct unwind_bounds sanitizer;

/* A library of wrappers that other wrappers come after. */
static struct unwind_bounds left_out;

void stacks_leave_out(uintptr_t low, uintptr_t high)
{
	left_out = (struct unwind_bounds){ low, high };
}

extern int __sanitizer_install_malloc_and_free_hooks(void) __attribute__((weak));

void stacks_init(void)
{
	struct dl_find_object found;

	if (__sanitizer_install_malloc_and_free_hooks &&
	    _dl_find_object((void *)__sanitizer_install_malloc_and_free_hooks, &found) ==
		    0 &&
	    found.dlfo_link_map->l_name[0] != '\0')
		sanitizer = (struct unwind_bounds){ (uintptr_t)found.dlfo_map_start,
						    (uintptr_t)found.dlfo_map_end };
}

static uint64_t number_of(struct stack_writer *writer, const uint64_t *pcs, size_t count,
			  size_t java_count)
{
	return java_count > 0 ? stack_id_java(writer, pcs, count, java_count)
			      : stack_id(writer, pcs, count);
}

/* Returns the part of the stack above sp, which the unwinder may read unchecked. */
static struct unwind_bounds bounds_above(const struct thread *thread, uintptr_t sp)
{
	if (sp >= thread->stack.low && sp < thread->stack.high)
		return (struct unwind_bounds){ sp, thread->stack.high };
	return (struct unwind_bounds){ 0, 0 };
}

/* Add a marker that tells a reader why a stack does not reach the start of its thread. */
static size_t mark_end(uint64_t *pcs, size_t count, enum unwind_end end)
{
	if (end == UNWIND_TRUNCATED)
		pcs[count++] = STACK_TRUNCATED;
	else if (end == UNWIND_FAILED)
		pcs[count++] = STACK_UNWIND_FAILED;
	return count;
}

/* The frames of wrappers are the user's neither in one list nor in the other. */
static uint64_t number_in_openmp(struct thread *thread, struct openmp_seen *seen,
				 uint64_t *pcs, size_t count)
{
	uint64_t list = openmp_user_list(thread, seen, pcs, count);

	return stack_id_openmp(&thread->in_handler, pcs, openmp_remove_own(pcs, count),
			       seen->state, list);
}

uint64_t stacks_interrupted(struct thread *thread, const ucontext_t *context)
{
	struct stack_writer *writer = &thread->in_handler;
	struct unwind_bounds bounds =
		bounds_above(thread, (uintptr_t)context->uc_mcontext.gregs[REG_RSP]);
	enum unwind_end end;
	uint64_t *pcs = writer->pcs;
	size_t count = unwind_stack(pcs, settings.depth, context, &bounds, &end);
	size_t java_count = java_walk(writer, context, &bounds);
	struct openmp_seen seen;

	/* A signal that had to wait for collector_leave(). */
	for (; count > 1 && stacks_is_own(pcs[0]); count--)
		pcs++;
	count = mark_end(pcs, count, end);
	if (__builtin_expect(java_count == 0 && openmp_look(thread, &seen), 0))
		return number_in_openmp(thread, &seen, pcs, count);
	return number_of(writer, pcs, count, java_count);
}

static uint64_t walk_here(const struct thread *thread, struct stack_writer *writer,
			  size_t java_count)
{
	uint64_t *pcs = writer->pcs;
	struct unwind_bounds bounds =
		bounds_above(thread, (uintptr_t)__builtin_frame_address(0));
	enum unwind_end end;
	size_t count = unwind_here(pcs, settings.depth, &bounds, &end), first = 0;

	while (first < count && stacks_is_own(pcs[first]))
		first++;
	count = mark_end(pcs, count, end);
	return number_of(writer, pcs + first, count - first, java_count);
}

uint64_t stacks_here(const struct thread *thread, struct stack_writer *writer)
{
	return walk_here(thread, writer, 0);
}

static bool is_between(const struct unwind_bounds *bounds, uint64_t pc)
{
	return pc >= bounds->low && pc < bounds->high;
}

/* The function that the program called may be wrapped twice (popen), or by a sanitizer,
 * which may itself be the caller of a wrapper. */
static bool has_own_caller(const uint64_t *pcs, size_t count)
{
	return count > 1 &&
	       (stacks_is_own(pcs[1]) || is_between(&sanitizer, pcs[1]) ||
		is_between(&left_out, pcs[1]) || is_between(&sanitizer, pcs[0]));
}

static uint64_t walk_above(const struct thread *thread, struct stack_writer *writer,
			   const void *frame, size_t java_count)
{
	struct unwind_bounds bounds = bounds_above(thread, (uintptr_t)frame);
	uint64_t *pcs = writer->pcs;
	enum unwind_end end;
	size_t count = unwind_from(pcs, settings.depth, &bounds, &end, frame);

	if (end == UNWIND_FAILED)
		return walk_here(thread, writer, java_count);
	for (; has_own_caller(pcs, count); pcs++, count--)
		if (!is_between(&sanitizer, pcs[0]))
			pcs[1] = pcs[0];
	return number_of(writer, pcs, mark_end(pcs, count, end), java_count);
}

uint64_t stacks_above(const struct thread *thread, struct stack_writer *writer,
		      const void *frame)
{
	const struct unwind_memory *memory = &writer->memory;
	struct unwind_bounds bounds = bounds_above(thread, (uintptr_t)frame);
	size_t first, fresh;
	uint64_t uid = unwind_tagged(memory, frame);

	if (__builtin_expect(writer->java != NULL, 0))
		return walk_above(thread, writer, frame, java_walk_above(writer, frame));
	if (uid != 0)
		return uid;
	if (unwind_again(&writer->memory, &bounds, frame, &first, &fresh) &&
	    !has_own_caller(memory->pcs + first, memory->limit - first)) {
		uid = stack_id_again(writer, first, fresh);
		if (uid != 0)
			unwind_tag(&writer->memory, first, fresh, uid);
		return uid;
	}
	return walk_above(thread, writer, frame, 0);
}
