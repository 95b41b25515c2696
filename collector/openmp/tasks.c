/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wrappers of libgomp: tasks. libgomp copies the data of a task, maybe by a function of
 * the program's, and any thread of the team runs it later. A head before the data leads
 * to the function of the task.
 *
 * libgomp itself stores into the first words of the data: the event that a detached task
 * ends with, or the part of a loop that the task runs. For reductions it reads the third.
 */

#include <stddef.h>
#include <string.h>

#include "collector/openmp/call.h"
#include "collector/process/guard.h"
#include "collector/threads/thread.h"

#define FLAG_DETACH 0x2000 /* of GOMP_task() */

#define FIRST_WORDS 3

struct head {
	word first[FIRST_WORDS]; /* of the data, as libgomp sees them */
	void (*function)(void *data);
	void (*copy)(void *to, void *from);
	const char *data; /* of the program; valid during the call only */
	size_t size;
	unsigned offset; /* of the data after this head, in the copy */
	unsigned stored; /* how many of the first words libgomp stores */
	struct openmp_site site;
};

OPENMP_CODE static void copy(void *to, void *from)
{
	const struct head *head = from;

	memcpy(to, head, sizeof(*head));
	if (head->copy)
		head->copy((char *)to + head->offset, (char *)(uintptr_t)head->data);
	else
		memcpy((char *)to + head->offset, head->data, head->size);
}

OPENMP_CODE static void run(void *argument)
{
	struct head *head = argument;
	char *data = (char *)argument + head->offset;
	struct thread *thread = thread_self;
	struct openmp_now before;

	memcpy(data, head->first, head->stored * sizeof(word));
	if (!thread || !openmp_has_room(&thread->openmp)) {
		head->function(data);
		return;
	}
	openmp_count_task(thread, head->site);
	before = thread->openmp.now;
	thread->openmp.now.task = head->site;
	thread->openmp.now.state = EXPT_OMP_WORK;
	head->function(data);
	thread->openmp.now = before;
}

static void make_head(struct head *head, void (*function)(void *),
		      void (*copies)(void *, void *), const void *data, long *size,
		      long *alignment, unsigned stored, const void *caller)
{
	size_t align = *alignment > (long)sizeof(word) ? (size_t)*alignment
						       : sizeof(word);

	*head = (struct head){
		.function = function,
		.copy = copies,
		.data = data,
		.size = (size_t)*size,
		.offset = (unsigned)((sizeof(*head) + align - 1) / align * align),
		.stored = (size_t)*size >= stored * sizeof(word) ? stored : 0,
		.site = { (word)caller, (word)function },
	};
	memcpy(head->first, data,
	       head->size < sizeof(head->first) ? head->size : sizeof(head->first));
	*size += head->offset;
	*alignment = (long)align;
}

#define EXPORT __attribute__((visibility("default"), used))
typedef void task_function(void *data);
typedef void copy_function(void *to, void *from);

#define TASK_PARAMETERS                                                        \
	task_function *function, void *data, copy_function *copies, long size, \
		long alignment, word condition, word flags, void **depend,     \
		word priority, void *event

OPENMP_CODE EXPORT void GOMP_task(TASK_PARAMETERS);
OPENMP_CODE EXPORT void GOMP_task(TASK_PARAMETERS)
{
	static struct openmp_real found = { { "GOMP_task", NULL, NULL }, false };
	const void *caller = __builtin_return_address(0);
	void (*const real)(TASK_PARAMETERS) = openmp_real(&found, caller);
	unsigned stored = ((unsigned)flags & FLAG_DETACH) != 0 ? 1 : 0;
	struct thread *thread = openmp_thread(&found);
	enum expt_omp_state before;
	struct head head;

	if (!real) {
		function(data);
		return;
	}
	if (!thread) {
		real(function, data, copies, size, alignment, condition, flags, depend,
		     priority, event);
		return;
	}
	make_head(&head, function, copies, data, &size, &alignment, stored, caller);
	before = thread->openmp.now.state;
	thread->openmp.now.state = EXPT_OMP_OVERHEAD;
	real(run, &head, copy, size, alignment, condition, flags, depend, priority,
	     event);
	thread->openmp.now.state = before;
}

#define LOOP_PARAMETERS                                                           \
	task_function *function, void *data, copy_function *copies, long size,    \
		long alignment, word flags, word count, word priority, word from, \
		word to, word step

/* The tasks may be waited for. */
#define LOOP(name)                                                                      \
	OPENMP_CODE EXPORT void name(LOOP_PARAMETERS);                                  \
	OPENMP_CODE EXPORT void name(LOOP_PARAMETERS)                                   \
	{                                                                               \
		static struct openmp_real found = { { #name, NULL, NULL }, false };     \
		const void *caller = __builtin_return_address(0);                       \
		void (*const real)(LOOP_PARAMETERS) = openmp_real(&found, caller);      \
		struct thread *thread = openmp_thread(&found);                          \
		enum expt_omp_state before;                                             \
		struct head head;                                                       \
                                                                                        \
		if (!real)                                                              \
			return;                                                         \
		if (!thread) {                                                          \
			real(function, data, copies, size, alignment, flags, count,     \
			     priority, from, to, step);                                 \
			return;                                                         \
		}                                                                       \
		make_head(&head, function, copies, data, &size, &alignment, 2, caller); \
		before = thread->openmp.now.state;                                      \
		thread->openmp.now.state = EXPT_OMP_TASK_WAIT;                          \
		real(run, &head, copy, size, alignment, flags, count, priority, from,   \
		     to, step);                                                         \
		thread->openmp.now.state = before;                                      \
	}

LOOP(GOMP_taskloop)
LOOP(GOMP_taskloop_ull)
