/* SPDX-License-Identifier: Apache-2.0 */
/* The records of threads, and the ends of threads, which the destructor of a
 * thread-specific key sees. */

#include "collector/threads/thread.h"

#include <string.h>
#include <sys/auxv.h>

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/threads/life.h"
#include "collector/threads/private.h"
#include "collector/threads/wait_cpu.h"

_Atomic unsigned thread_recording;
static _Atomic(struct thread *) all;
/* The address is in the low 48 bits, a count of changes above it, so that a record taken
 * and put back between two reads is not mistaken for an unchanged head. */
static _Atomic uint64_t free_list;
static pthread_key_t key;
static size_t default_size;

/* PTHREAD_KEY_2NDLEVEL_SIZE of glibc */
#define KEYS_WITH_ROOM 32

#define ADDRESS_BITS 48
#define ADDRESS_MASK ((UINT64_C(1) << ADDRESS_BITS) - 1)

void thread_put_back(struct thread *thread)
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

static void forget_data(struct thread *thread)
{
	for (size_t i = 0; i < DATA_COUNT; i++)
		thread->data[i].block = NULL;
	stack_writer_after_fork(&thread->in_handler);
	stack_writer_after_fork(&thread->in_call);
	wait_cpu_after_fork(thread);
}

static void link_in(struct thread *thread)
{
	thread->next = atomic_load(&all);
	while (!atomic_compare_exchange_weak(&all, &thread->next, thread))
		;
}

/* The record was made, or last used, in another recording, perhaps without stacks of
 * calls. Returns false, and the record stays stale, if memory runs out. */
static bool renew(struct thread *thread)
{
	if (!make_room_for_stacks(thread))
		return false;
	thread->recording = atomic_load(&thread_recording);
	forget_data(thread);
	thread->life = 0;
	link_in(thread);
	return true;
}

struct thread *thread_get(void)
{
	struct thread *thread = take_free();

	if (thread)
		return !thread_is_stale(thread) || renew(thread) ? thread : NULL;
	thread = memory_get(sizeof(*thread));
	if (!thread || !make_room_for_stacks(thread))
		return NULL;
	thread->recording = atomic_load(&thread_recording);
	thread->timer = thread->mode_timer = thread->awaiting = -1;
	link_in(thread);
	return thread;
}

struct thread *thread_first(void)
{
	return atomic_load(&all);
}

void thread_begin_life(struct thread *thread)
{
	thread->tid = 0;
	thread->inherited = NULL;
	thread->created_ns = collector_now();
	life_turn(&thread->life, thread->created_ns);
}

void thread_attach(struct thread *thread)
{
	if (thread_is_stale(thread) && renew(thread))
		thread_begin_life(thread);
	thread->tid = sys_gettid();
	thread->id = pthread_self();
	thread->deferred_ns = 0;
	thread->kernel_ns = 0;
	thread->last_stack = 0;
	thread->root_count = 0;
	thread->vfork_number = 0;
	thread->call_frame = 0;
	thread->hidden = 0;
	thread->other_stack = 0;
	thread->nested = NULL;
	thread->settled_ns = UINT64_MAX; /* until the thread's clock starts */
	stack_writer_forget(&thread->in_call);
	openmp_attach(thread);
	thread->is_paused = thread->is_awaited = false;
	thread->resumed_ns = 0;
	atomic_store(&thread->blocked, 0);
	atomic_store(&thread->is_asked, false);
	atomic_store(&thread->is_handling, false);
	atomic_store(&thread->is_live, true);
	thread_self = thread;
}

/* The thread has no more use for the record. */
void thread_let_go(struct thread *thread)
{
	atomic_store(&thread->is_live, false);
	thread_put_back(thread);
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
	thread_let_go(thread);
	collector_leave(mask);
}

bool thread_is_over(void)
{
	return ended.is_over;
}

struct thread *thread_borrow(void)
{
	struct thread *thread = collector_is_frozen() ? NULL : thread_get();

	if (!thread)
		return NULL;
	thread->is_borrowed = true;
	thread_begin_life(thread);
	thread_attach(thread);
	thread->stack = ended.stack;
	return thread;
}

/* In a handler thread_self, which the collector's own handlers use, must not change. */
struct thread *thread_borrow_nested(struct thread *outer)
{
	struct thread *thread = collector_is_frozen() ? take_free() : thread_get();

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
	thread_let_go(thread);
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

/* libc has room for the first keys in each thread, and would allocate it for others. */
void thread_expect_end(struct thread *thread)
{
	if (key < KEYS_WITH_ROOM || !process.is_requested)
		pthread_setspecific(key, thread);
}

size_t thread_default_size(void)
{
	return default_size;
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

/* glibc keeps the thread's control block at the upper end of its stack. */
struct unwind_bounds thread_own_stack(void)
{
	uintptr_t high = (uintptr_t)pthread_self();

	if (sys_gettid() != process.pid)
		return (struct unwind_bounds){ high - default_size, high };
	return getauxval(AT_EXECFN) != 0 ? main_stack() : (struct unwind_bounds){ 0, 0 };
}

bool thread_prepare(void)
{
	pthread_attr_t attributes;

	if (pthread_key_create(&key, on_thread_end) != 0)
		return false;
	if (pthread_getattr_default_np(&attributes) == 0) {
		pthread_attr_getstacksize(&attributes, &default_size);
		pthread_attr_destroy(&attributes);
	}
	return true;
}

bool thread_init(void)
{
	struct thread *stale = thread_self, *thread = thread_get();

	if (!thread)
		return false;
	thread_begin_life(thread);
	thread_attach(thread);
	thread->blocked = stale ? stale->blocked : 0;
	thread->past_ns = 0; /* the record may have waited for another thread */
	thread->stack = thread_own_stack();
	thread_expect_end(thread);
	if (stale)
		thread_let_go(stale);
	return true;
}

/* ---- another recording ---- */

/* Threads put their records back at any time, or take others: so records do not change
 * hands here. Each is renewed by its next user. */
void thread_forget_all(void)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->next) {
		if (!thread->is_awaited)
			continue;
		thread->is_awaited = false;
		life_turn(&thread->life, collector_now());
		thread_let_go(thread);
	}
	atomic_fetch_add(&thread_recording, 1);
	atomic_store(&all, NULL);
}

/* ---- fork ---- */

/* Records of other threads are abandoned: touching them would copy their pages. */
void thread_after_fork(void)
{
	struct thread *self = thread_self;

	atomic_store(&free_list, 0);
	atomic_store(&all, self);
	if (!self)
		return;
	self->next = NULL;
	self->recording = atomic_load(&thread_recording);
	forget_data(self);
	self->call_frame = 0;
	self->nested = NULL;
	self->timer = self->mode_timer = self->awaiting = -1;
	atomic_store(&self->fine_clock.ring, NULL); /* the mapping is not inherited */
	for (size_t i = 0; i < COUNTERS_MAX; i++)
		atomic_store(&self->counters[i].ring, NULL);
	self->tid = sys_gettid();
	self->created_ns = process.start_ns;
	self->life = process.start_ns | LIFE_IS_LIVING;
	self->deferred_ns = 0;
	self->kernel_ns = 0;
	self->last_stack = 0;
}

/* ---- pauses ---- */

bool collector_is_paused(const struct thread *thread)
{
	return atomic_load(&process.is_paused) || atomic_load(&thread->is_paused) ||
	       thread_is_stale(thread);
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
