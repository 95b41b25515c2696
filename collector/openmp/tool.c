/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tool that libomp, and each other runtime with the tools interface of OpenMP, looks
 * for. It notes regions and tasks; the runtime itself knows the states of threads, and is
 * asked in the handler. The tool steps back if the program has one of its own: a tool in
 * the program is found before this library, and that of a library that the user names is
 * not looked for after this one.
 */

#include <dlfcn.h>
#include <stdlib.h>

#include "collector/common/settings.h"
#include "collector/files/log.h"
#include "collector/openmp/ompt.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/threads/openmp.h"
#include "collector/threads/openmp_user.h"
#include "collector/threads/stacks.h"
#include "collector/threads/thread.h"

static ompt_get_state *get_state;

static const unsigned char states[] = {
	[OMPT_WORK_SERIAL] = EXPT_OMP_SERIAL,
	[OMPT_WORK_PARALLEL] = EXPT_OMP_WORK,
	[OMPT_WORK_REDUCTION] = EXPT_OMP_REDUCTION,
	[OMPT_WAIT_BARRIER] = EXPT_OMP_EXPLICIT_BARRIER,
	[OMPT_WAIT_BARRIER_IMPLICIT_PARALLEL] = EXPT_OMP_IMPLICIT_BARRIER,
	[OMPT_WAIT_BARRIER_IMPLICIT_WORKSHARE] = EXPT_OMP_IMPLICIT_BARRIER,
	[OMPT_WAIT_BARRIER_IMPLICIT] = EXPT_OMP_IMPLICIT_BARRIER,
	[OMPT_WAIT_BARRIER_EXPLICIT] = EXPT_OMP_EXPLICIT_BARRIER,
	[OMPT_WAIT_BARRIER_IMPLEMENTATION] = EXPT_OMP_IMPLICIT_BARRIER,
	[OMPT_WAIT_BARRIER_TEAMS] = EXPT_OMP_IMPLICIT_BARRIER,
	[OMPT_WAIT_TASKWAIT] = EXPT_OMP_TASK_WAIT,
	[OMPT_WAIT_TASKGROUP] = EXPT_OMP_TASK_WAIT,
	[OMPT_WAIT_MUTEX] = EXPT_OMP_LOCK_WAIT,
	[OMPT_WAIT_LOCK] = EXPT_OMP_LOCK_WAIT,
	[OMPT_WAIT_CRITICAL] = EXPT_OMP_CRITICAL_WAIT,
	[OMPT_WAIT_ATOMIC] = EXPT_OMP_ATOMIC_WAIT,
	[OMPT_WAIT_ORDERED] = EXPT_OMP_ORDERED_WAIT,
};

/* Targets are computed elsewhere: a thread that waits for one is in the runtime. */
static enum expt_omp_state ask(void)
{
	uint64_t wait = 0;
	int state = get_state(&wait);

	if (state == OMPT_IDLE)
		return EXPT_OMP_IDLE;
	if (state < 0 || (size_t)state >= sizeof(states) ||
	    (states[state] == EXPT_OMP_NONE))
		return EXPT_OMP_OVERHEAD;
	return states[state];
}

/* ---- callbacks ---- */

static struct thread *self(void)
{
	struct thread *thread = thread_self;

	if (!thread || thread_is_stale(thread) || thread->vfork_number != 0)
		return NULL;
	return openmp_has_room(&thread->openmp) ? thread : NULL;
}

static void thread_begins(int type, union ompt_data *data)
{
	struct thread *thread = self();

	if (!thread)
		return;
	thread->openmp.now.state = EXPT_OMP_SERIAL;
	thread->openmp.asks_runtime = true;
}

static void region_begins(union ompt_data *task, const struct ompt_frame *frame,
			  union ompt_data *region, unsigned requested, int flags,
			  const void *caller)
{
	struct thread *thread = self();
	struct openmp_site site = { (uint64_t)(uintptr_t)caller, 0 };

	region->pointer = NULL;
	if (thread)
		region->pointer = openmp_begin_region(thread, frame->enter, site).region;
}

static void region_ends(union ompt_data *region, union ompt_data *task, int flags,
			const void *caller)
{
	struct thread *thread = self();

	if (thread)
		openmp_end_region(thread);
}

/* A thread of a team begins or ends its part of the region. */
static void implicit_task(int endpoint, union ompt_data *region, union ompt_data *task,
			  unsigned count, unsigned number, int flags)
{
	struct thread *thread = self();
	struct openmp_place place = { NULL, 0 };

	if (!thread || (flags & OMPT_TASK_INITIAL) != 0)
		return;
	if (endpoint == OMPT_SCOPE_BEGIN && region)
		place.region = region->pointer;
	if (place.region)
		place.number = atomic_load(&place.region->number);
	thread->openmp.now = (struct openmp_now){ EXPT_OMP_WORK, place, { 0, 0 } };
	thread->openmp.asks_runtime = true;
}

#define FRAMES_OF_RUNTIME 16
#define CALL_LENGTH	  5

/* The runtime makes the tasks of a taskloop in functions of its own, and names one of
 * them. Returns where it returns to the user's function, or 0. */
static uint64_t find_user(void)
{
	static const struct unwind_bounds unknown;
	uint64_t pcs[FRAMES_OF_RUNTIME];
	enum unwind_end end;
	size_t count = unwind_here(pcs, FRAMES_OF_RUNTIME, &unknown, &end);

	for (size_t i = 0; i < count; i++)
		if (!openmp_is_runtime(pcs[i]) && !stacks_is_own(pcs[i]))
			return pcs[i] + CALL_LENGTH;
	return 0;
}

/* The data of tasks that are not explicit stay 0. */
static void task_is_made(union ompt_data *maker, const struct ompt_frame *frame,
			 union ompt_data *task, int flags, int has_dependences,
			 const void *caller)
{
	struct thread *thread = self();
	struct openmp_site site = { (uint64_t)(uintptr_t)caller, 0 };

	if ((flags & OMPT_TASK_EXPLICIT) == 0 || !caller)
		return;
	if (openmp_is_runtime(site.caller))
		site.caller = find_user();
	if (site.caller == 0)
		return;
	task->value = site.caller;
	if (thread)
		openmp_count_task(thread, site);
}

static void task_is_switched(union ompt_data *before, int status, union ompt_data *task)
{
	struct thread *thread = self();

	if (thread && task)
		thread->openmp.now.task = (struct openmp_site){ task->value, 0 };
}

/* ---- the tool ---- */

static int initialize(ompt_lookup *lookup, int device, union ompt_data *tool)
{
	static const struct {
		int which;
		ompt_function *function;
	} callbacks[] = {
		{ OMPT_THREAD_BEGIN, (ompt_function *)thread_begins },
		{ OMPT_PARALLEL_BEGIN, (ompt_function *)region_begins },
		{ OMPT_PARALLEL_END, (ompt_function *)region_ends },
		{ OMPT_IMPLICIT_TASK, (ompt_function *)implicit_task },
		{ OMPT_TASK_CREATE, (ompt_function *)task_is_made },
		{ OMPT_TASK_SCHEDULE, (ompt_function *)task_is_switched },
	};
	ompt_set_callback *set = (ompt_set_callback *)lookup("ompt_set_callback");

	get_state = (ompt_get_state *)lookup("ompt_get_state");
	if (!set || !get_state || !openmp_note_runtime((const void *)(uintptr_t)set))
		return 0;
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++)
		set(callbacks[i].which, callbacks[i].function);
	openmp_ask(ask);
	return 1;
}

/* The runtime ends before the process may. */
static void finalize(union ompt_data *tool)
{
	openmp_ask(NULL);
}

static void say(const char *text)
{
	uint64_t mask = collector_enter();

	log_message("comment", EXPT_COMMENT, text, 0);
	collector_leave(mask);
}

__attribute__((visibility("default"), used)) struct ompt_tool *
ompt_start_tool(unsigned version, const char *runtime);
struct ompt_tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct ompt_tool tool = { initialize, finalize, { 0 } };
	const char *libraries = getenv("OMP_TOOL_LIBRARIES");

	if (settings.without_openmp || !collector_has_experiment())
		return NULL;
	if (libraries && *libraries != '\0') {
		say("OpenMP is not recorded: OMP_TOOL_LIBRARIES names other tools");
		return NULL;
	}
	/* The runtime loads a tool of its own for it, if there is no other. */
	if (dlsym(RTLD_DEFAULT, "__tsan_init")) {
		say("OpenMP is not recorded: the program has a thread sanitizer");
		return NULL;
	}
	return &tool;
}
