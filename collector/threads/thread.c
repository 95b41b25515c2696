/* SPDX-License-Identifier: Apache-2.0 */
/* The life of threads: wrappers of pthread_create and thrd_create, and the destructor of
 * a thread-specific key. */

#include "collector/threads/thread.h"

#include <string.h>
#include <sys/auxv.h>
#include <threads.h>

#include "collector/base/interpose.h"
#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/threads/life.h"
#include "collector/threads/wait_cpu.h"

static _Atomic(struct thread *) all;
/* The address is in the low 48 bits, a count of changes above it, so that a record taken
 * and put back between two reads is not mistaken for an unchanged head. */
static _Atomic uint64_t free_list;
static pthread_key_t key;
static size_t default_stack_size;

#define ADDRESS_BITS 48
#define ADDRESS_MASK ((UINT64_C(1) << ADDRESS_BITS) - 1)

static void put_back(struct thread *thread)
{
	uint64_t head = atomic_load(&free_list), next;

	do {
		thread->next_free = (struct thread *)(head & ADDRESS_MASK);
		next = ((head >> ADDRESS_BITS) + 1) << ADDRESS_BITS | (uintptr_t)thread;
	} while (!atomic_compare_exchange_weak(&free_list, &head, next));
}

static struct thread *take_free(void)
{
	uint64_t head = atomic_load(&free_list), next;
	struct thread *thread;

	do {
		thread = (struct thread *)(head & ADDRESS_MASK);
		if (!thread)
			return NULL;
		next = ((head >> ADDRESS_BITS) + 1) << ADDRESS_BITS |
		       (uintptr_t)thread->next_free;
	} while (!atomic_compare_exchange_weak(&free_list, &head, next));
	return thread;
}

static bool make_room_for_stacks(struct thread *thread)
{
	return stack_writer_init(&thread->in_handler, settings.depth, false) &&
	       (!settings.is_tracing ||
		stack_writer_init(&thread->in_call, settings.depth, true));
}

static struct thread *get_thread(void)
{
	struct thread *thread = take_free();

	if (thread)
		return thread;
	thread = memory_get(sizeof(*thread));
	if (!thread || !make_room_for_stacks(thread))
		return NULL;
	thread->timer = thread->mode_timer = -1;
	thread->next = atomic_load(&all);
	while (!atomic_compare_exchange_weak(&all, &thread->next, thread))
		;
	return thread;
}

struct thread *thread_first(void)
{
	return atomic_load(&all);
}

/* A thread lives from when it is created, and may have to wait for a processor first. */
static void begin_life(struct thread *thread)
{
	thread->tid = 0;
	thread->created_ns = collector_now();
	life_turn(&thread->life, thread->created_ns);
}

/* Start to use a record for the calling thread. */
static void attach(struct thread *thread)
{
	thread->tid = sys_gettid();
	thread->id = pthread_self();
	thread->deferred_ns = 0;
	thread->kernel_ns = 0;
	thread->last_stack = 0;
	thread->root_count = 0;
	thread->vfork_number = 0;
	thread->call_frame = 0;
	thread->other_stack = 0;
	thread->nested = NULL;
	thread->settled_ns = UINT64_MAX; /* until the thread's clock starts */
	stack_writer_forget(&thread->in_call);
	thread->is_paused = false;
	thread->resumed_ns = 0;
	atomic_store(&thread->is_handling, false);
	atomic_store(&thread->is_live, true);
	thread_self = thread;
}

/* ---- the end of a thread ---- */

/* State for calls that a thread makes after its record is gone: libc frees its buffers
 * then. */
static __thread struct {
	bool is_over;
	struct unwind_bounds stack;
} ended;

static void end_thread(struct thread *thread)
{
	uint64_t mask = collector_enter();

	sources_stop(thread);
	ended.is_over = true;
	ended.stack = thread->stack;
	thread_self = NULL;
	life_turn(&thread->life, collector_now());
	wait_cpu_end(thread);
	atomic_store(&thread->is_live, false);
	put_back(thread);
	collector_leave(mask);
}

bool thread_is_over(void)
{
	return ended.is_over;
}

struct thread *thread_borrow(void)
{
	struct thread *thread = collector_is_frozen() ? NULL : get_thread();

	if (!thread)
		return NULL;
	thread->is_borrowed = true;
	begin_life(thread);
	attach(thread);
	thread->stack = ended.stack;
	return thread;
}

/* In a handler thread_self, which the collector's own handlers use, must not change. */
struct thread *thread_borrow_nested(struct thread *outer)
{
	struct thread *thread = collector_is_frozen() ? take_free() : get_thread();

	if (!thread)
		return NULL;
	thread->tid = outer->tid;
	thread->stack = outer->stack;
	thread->is_paused = false;
	thread->resumed_ns = outer->resumed_ns;
	stack_writer_forget(&thread->in_call);
	thread->is_borrowed = true;
	thread->outer = outer;
	outer->nested = thread;
	return thread;
}

void thread_return(struct thread *thread)
{
	struct thread *outer = thread->outer;

	thread->outer = NULL;
	if (!outer) {
		thread_self = NULL;
		life_turn(&thread->life, collector_now());
	} else if (outer->nested == thread) {
		outer->nested = NULL;
	}
	thread->is_borrowed = false;
	atomic_store(&thread->is_live, false);
	put_back(thread);
}

void thread_leave_nested(struct thread *outer)
{
	outer->nested = NULL;
}

/* Other destructors may still run code of the program, so set the key again until the
 * last round. */
static void on_thread_end(void *value)
{
	static __thread int round;

	if (++round < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(key, value);
		return;
	}
	round = 0;
	if (thread_self == value)
		end_thread(value);
}

/* ---- the main thread ---- */

/* The name of the program is at the upper end of the stack, which grows down. Only memory
 * above the interrupted stack pointer is known to be mapped; see clock.c. */
static struct unwind_bounds main_stack(void)
{
	uintptr_t name = getauxval(AT_EXECFN);
	uintptr_t high = (name + strlen((const char *)name) + 9 + 4095) &
			 ~(uintptr_t)4095;
	struct rlimit limit = { .rlim_cur = RLIM_INFINITY };

	sys_get_limit(RLIMIT_STACK, &limit);
	if (limit.rlim_cur > UINT32_MAX)
		limit.rlim_cur = UINT32_MAX;
	return (struct unwind_bounds){ high - limit.rlim_cur, high };
}

bool thread_init(void)
{
	pthread_attr_t attributes;
	struct thread *thread = get_thread();

	if (!thread || pthread_key_create(&key, on_thread_end) != 0)
		return false;
	if (pthread_getattr_default_np(&attributes) == 0) {
		pthread_attr_getstacksize(&attributes, &default_stack_size);
		pthread_attr_destroy(&attributes);
	}
	begin_life(thread);
	attach(thread);
	if (getauxval(AT_EXECFN) != 0)
		thread->stack = main_stack();
	pthread_setspecific(key, thread);
	return true;
}

/* Records of other threads are abandoned: touching them would copy their pages. */
void thread_after_fork(void)
{
	struct thread *self = thread_self;

	atomic_store(&free_list, 0);
	atomic_store(&all, self);
	if (!self)
		return;
	self->next = NULL;
	for (size_t i = 0; i < DATA_COUNT; i++)
		self->data[i].block = NULL;
	stack_writer_after_fork(&self->in_handler);
	stack_writer_after_fork(&self->in_call);
	self->call_frame = 0;
	self->nested = NULL;
	self->timer = self->mode_timer = -1;
	atomic_store(&self->fine_clock.ring, NULL); /* the mapping is not inherited */
	for (size_t i = 0; i < COUNTERS_MAX; i++)
		atomic_store(&self->counters[i].ring, NULL);
	self->tid = sys_gettid();
	self->created_ns = process.start_ns;
	self->life = process.start_ns | LIFE_IS_LIVING;
	wait_cpu_after_fork(self);
	self->deferred_ns = 0;
	self->kernel_ns = 0;
	self->last_stack = 0;
}

/* ---- the start of a thread ---- */

/* Really block the hidden signals that a new thread blocks until its record exists: until
 * then they have no virtual mask to look at. Returns the mask of the calling thread. */
static uint64_t hold_for(uint64_t blocked)
{
	uint64_t mask = 0;

	if (blocked != 0)
		sys_sigmask(SIG_BLOCK, &blocked, &mask);
	return mask;
}

/* Call in the new thread. */
static void release(const struct thread *thread)
{
	uint64_t blocked = thread->blocked;

	if (blocked != 0 && !collector_is_frozen())
		sys_sigmask(SIG_UNBLOCK, &blocked, NULL);
}

static __attribute__((noinline)) void begin_thread(struct thread *thread)
{
	uint64_t pcs[THREAD_ROOT_FRAMES + 2];
	enum unwind_end end;
	size_t count;

	thread->past_ns = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	attach(thread);
	/* glibc keeps the thread's control block at the upper end of its stack. low still
	 * holds the size. */
	thread->stack.high = (uintptr_t)pthread_self();
	thread->stack.low = thread->stack.high - thread->stack.low;
	pthread_setspecific(key, thread);
	count = unwind_here(pcs, THREAD_ROOT_FRAMES + 2, &thread->stack, &end);
	/* Leave out this function and its caller, which is gone by then. */
	for (size_t i = 2; i < count; i++)
		thread->root[thread->root_count++] = pcs[i];
	sources_start(thread);
	release(thread);
}

/* Both end in a jump, so that the thread's stack is the same as without us. */
static __attribute__((optimize("optimize-sibling-calls"))) void *
run_thread(void *argument)
{
	struct thread *thread = argument;
	void *(*start)(void *) = thread->start;
	void *start_argument = thread->argument;

	begin_thread(thread);
	return start(start_argument);
}

static __attribute__((optimize("optimize-sibling-calls"))) int
run_thread_c11(void *argument)
{
	struct thread *thread = argument;
	int (*start)(void *) = thread->start_c11;
	void *start_argument = thread->argument;

	begin_thread(thread);
	return start(start_argument);
}

static struct thread *prepare_thread(const pthread_attr_t *attributes)
{
	struct thread *thread =
		collector_is_recording() && !collector_is_frozen() ? get_thread() : NULL;
	size_t size = default_stack_size;

	if (!thread)
		return NULL;
	if (attributes)
		pthread_attr_getstacksize(attributes, &size);
	thread->blocked = thread_self ? thread_self->blocked : 0;
	/* Only the size is known until the thread itself finds the upper end. */
	thread->stack.low = size;
	thread->stack.high = 0;
	begin_life(thread);
	return thread;
}

/* blocked: what was held; the thread itself may have ended. */
static void end_creation(struct thread *thread, uint64_t blocked, uint64_t mask,
			 bool is_created)
{
	if (blocked != 0)
		sys_sigmask(SIG_SETMASK, &mask, NULL);
	if (is_created)
		return;
	life_turn(&thread->life, collector_now());
	put_back(thread);
}

static int create_pthread(struct real *real, pthread_t *id,
			  const pthread_attr_t *attributes, void *(*start)(void *),
			  void *argument)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		real_function(real);
	struct thread *thread = prepare_thread(attributes);
	uint64_t blocked, mask;
	int rc;

	if (!thread)
		return create(id, attributes, start, argument);
	blocked = thread->blocked;
	thread->start = start;
	thread->argument = argument;
	mask = hold_for(blocked);
	rc = create(id, attributes, run_thread, thread);
	end_creation(thread, blocked, mask, rc == 0);
	return rc;
}

static int create_thrd(struct real *real, thrd_t *id, thrd_start_t start, void *argument)
{
	int (*create)(thrd_t *, thrd_start_t, void *) = real_function(real);
	struct thread *thread = prepare_thread(NULL);
	uint64_t blocked, mask;
	int rc;

	if (!thread)
		return create(id, start, argument);
	blocked = thread->blocked;
	thread->start = (void *)start;
	thread->start_c11 = start;
	thread->argument = argument;
	mask = hold_for(blocked);
	rc = create(id, run_thread_c11, thread);
	end_creation(thread, blocked, mask, rc == thrd_success);
	return rc;
}

#define PTHREAD_CREATE(local, at, version)                                     \
	INTERPOSE(int, local, "pthread_create" at version,                     \
		  (pthread_t * id, const pthread_attr_t *attributes,           \
		   void *(*start)(void *), void *argument))                    \
	{                                                                      \
		static struct real real = { "pthread_create", version, NULL }; \
		return create_pthread(&real, id, attributes, start, argument); \
	}

#define THRD_CREATE(local, at, version)                                     \
	INTERPOSE(int, local, "thrd_create" at version,                     \
		  (thrd_t * id, thrd_start_t start, void *argument))        \
	{                                                                   \
		static struct real real = { "thrd_create", version, NULL }; \
		return create_thrd(&real, id, start, argument);             \
	}

PTHREAD_CREATE(pthread_create_2_2_5, "@", "GLIBC_2.2.5")
PTHREAD_CREATE(pthread_create_2_34, "@@", "GLIBC_2.34")
THRD_CREATE(thrd_create_2_28, "@", "GLIBC_2.28")
THRD_CREATE(thrd_create_2_34, "@@", "GLIBC_2.34")

/* ---- pauses ---- */

bool collector_is_paused(const struct thread *thread)
{
	return atomic_load(&process.is_paused) || atomic_load(&thread->is_paused);
}

bool collector_takes_events(const struct thread *thread)
{
	return collector_is_recording() && !collector_is_paused(thread);
}

bool collector_takes_event_at(const struct thread *thread, uint64_t time)
{
	return collector_takes_events(thread) &&
	       time >= atomic_load(&process.resumed_ns) &&
	       time >= atomic_load(&thread->resumed_ns);
}
