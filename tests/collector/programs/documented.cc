// SPDX-License-Identifier: Apache-2.0
// Races that the manuals of helgrind and of the thread sanitizer describe, each beside a
// program that does the same without one. For documented.t, which compiles it.

#include "tests/collector/programs/situation.h"

#include <atomic>
#include <fcntl.h>
#include <new>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define KEEP	 __asm__ volatile("" : : : "memory")

// ---- turns ----

// Threads take turns by a counter that orders nothing else.
static std::atomic<int> turn;

static void wait_for(int number)
{
	while (turn.load(std::memory_order_relaxed) < number)
		usleep(1000);
}

static void pass()
{
	turn.fetch_add(1, std::memory_order_relaxed);
}

typedef void body();

struct part {
	body *run;
	int number;
};

static void *run_part(void *argument)
{
	const part *mine = static_cast<const part *>(argument);

	wait_for(mine->number);
	mine->run();
	pass();
	return nullptr;
}

// Both threads exist all the time, and the second one goes on when the first one has
// finished.
static int in_turn(body *first, body *second)
{
	part parts[] = { { first, 0 }, { second, 1 } };
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], nullptr, run_part, &parts[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], nullptr);
	return 0;
}

// The same, but the first thread is joined before the second one is created.
static int joined(body *first, body *second)
{
	part parts[] = { { first, 0 }, { second, 1 } };

	for (int i = 0; i < 2; i++) {
		pthread_t thread;

		pthread_create(&thread, nullptr, run_part, &parts[i]);
		pthread_join(thread, nullptr);
	}
	return 0;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void with_lock(body *run)
{
	pthread_mutex_lock(&mutex);
	run();
	pthread_mutex_unlock(&mutex);
}

// ---- a variable of parent and child ----

static int variable, other_variable;

NOINLINE static void add()
{
	variable++;
	KEEP;
}

NOINLINE static void add_parent()
{
	variable++;
	KEEP;
}

static int parent_and_child(body *child, body *parent)
{
	part other = { child, 1 };
	pthread_t thread;

	pthread_create(&thread, nullptr, run_part, &other);
	parent();
	pass();
	pthread_join(thread, nullptr);
	return 0;
}

static void add_locked() { with_lock(add); }

static int counter(char **) { return parent_and_child(add, add_parent); }
static int counter_locked(char **) { return in_turn(add_locked, add_locked); }
static int counter_joined(char **) { return joined(add, add_parent); }

NOINLINE static void add_both()
{
	variable++;
	other_variable++;
	KEEP;
}

static int two_variables(char **) { return in_turn(add_both, add_both); }

// ---- locks that order by chance ----

static void lock_nothing() { KEEP; }

static void add_then_lock()
{
	add();
	with_lock(lock_nothing);
}

static void lock_then_add()
{
	with_lock(lock_nothing);
	add_parent();
}

static int by_chance(char **) { return in_turn(add_then_lock, lock_then_add); }
static int against_chance(char **) { return in_turn(lock_then_add, add_then_lock); }

// ---- messages ----

static sem_t semaphore;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static bool is_ready;
static std::atomic<bool> is_flagged;

static void add_and_post()
{
	add();
	sem_post(&semaphore);
}

static void await_and_add()
{
	sem_wait(&semaphore);
	add();
}

static int by_semaphore(char **)
{
	sem_init(&semaphore, 0, 0);
	return in_turn(add_and_post, await_and_add);
}

static void set_ready()
{
	is_ready = true;
	pthread_cond_signal(&condition);
}

static void add_and_signal()
{
	add();
	with_lock(set_ready);
}

static void until_ready()
{
	while (!is_ready)
		pthread_cond_wait(&condition, &mutex);
}

static void until_ready_and_add()
{
	with_lock(until_ready);
	add();
}

static int by_condition(char **) { return in_turn(add_and_signal, until_ready_and_add); }

static void add_before()
{
	add();
	pass();
	pthread_barrier_wait(&barrier);
}

static void add_behind()
{
	pthread_barrier_wait(&barrier);
	add();
}

static int by_barrier(char **)
{
	pthread_barrier_init(&barrier, nullptr, 2);
	return in_turn(add_before, add_behind);
}

NOINLINE static void notify()
{
	is_ready = true;
	KEEP;
}

NOINLINE static void notice()
{
	if (is_ready)
		KEEP;
}

static int notification(char **) { return in_turn(notify, notice); }

static void add_and_flag()
{
	add();
	is_flagged.store(true, std::memory_order_release);
}

static void await_flag_and_add()
{
	while (!is_flagged.load(std::memory_order_acquire))
		usleep(1000);
	add();
}

static int notification_atomic(char **)
{
	return in_turn(add_and_flag, await_flag_and_add);
}

// ---- read-write locks ----

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void add_reading()
{
	pthread_rwlock_rdlock(&rwlock);
	add();
	pthread_rwlock_unlock(&rwlock);
}

static void add_writing()
{
	pthread_rwlock_wrlock(&rwlock);
	add();
	pthread_rwlock_unlock(&rwlock);
}

static int reader_writes(char **) { return in_turn(add_reading, add_reading); }
static int writer_writes(char **) { return in_turn(add_writing, add_writing); }

// ---- parts of a word ----

static struct {
	char first, second;
} bytes;
static struct {
	unsigned first : 4, second : 4;
} bits;

NOINLINE static void set_first_byte() { bytes.first++; KEEP; }
NOINLINE static void set_second_byte() { bytes.second++; KEEP; }
NOINLINE static void set_first_bits() { bits.first++; KEEP; }
NOINLINE static void set_second_bits() { bits.second++; KEEP; }

static int bit_fields(char **) { return in_turn(set_first_bits, set_second_bits); }
static int neighbours(char **) { return in_turn(set_first_byte, set_second_byte); }

static thread_local int own;

static void add_own() { own++; KEEP; }
static int thread_locals(char **) { return in_turn(add_own, add_own); }

// ---- objects ----

struct node {
	node *next;
	int uses;
	std::atomic<int> atomic_uses;
};

static node *list;

NOINLINE static void push()
{
	list = new node{ list, 0, { 0 } };
	KEEP;
}

static void push_locked() { with_lock(push); }

static int structures(char **) { return in_turn(push, push); }
static int structures_locked(char **) { return in_turn(push_locked, push_locked); }

static node counted{ nullptr, 2, { 2 } };

NOINLINE static void drop() { counted.uses--; KEEP; }
static void drop_atomically() { counted.atomic_uses--; }

static int references(char **) { return in_turn(drop, drop); }
static int references_atomic(char **) { return in_turn(drop_atomically, drop_atomically); }

// ---- publishing, and making at the first use ----

static node *instance;
static std::atomic<node *> atomic_instance;
static pthread_once_t once = PTHREAD_ONCE_INIT;

NOINLINE static void publish()
{
	instance = new node{ nullptr, 1, { 0 } };
	KEEP;
}

NOINLINE static void use_published()
{
	if (instance)
		instance->uses++;
	KEEP;
}

static void publish_atomically()
{
	atomic_instance.store(new node{ nullptr, 1, { 0 } }, std::memory_order_release);
}

static void use_atomically()
{
	if (node *found = atomic_instance.load(std::memory_order_acquire))
		found->uses++;
}

static int publishing(char **) { return in_turn(publish, use_published); }
static int publishing_atomic(char **) { return in_turn(publish_atomically, use_atomically); }

NOINLINE static void make_if_none()
{
	if (!instance)
		instance = new node{};
	KEEP;
}

static void make_once() { pthread_once(&once, make_if_none); }

static int lazy(char **) { return in_turn(make_if_none, make_if_none); }
static int lazy_once(char **) { return in_turn(make_once, make_once); }

NOINLINE static void check_twice()
{
	if (!instance)
		with_lock(make_if_none);
	KEEP;
}

static void check_atomically()
{
	if (!atomic_instance.load(std::memory_order_acquire))
		publish_atomically();
}

static int double_check(char **) { return in_turn(check_twice, check_twice); }
static int double_check_atomic(char **) { return in_turn(check_atomically, check_atomically); }

// ---- the ends of objects ----

static node *block;

NOINLINE static void use_block() { block->uses++; KEEP; }
NOINLINE static void free_block() { free(block); KEEP; }

static int freeing(char **)
{
	block = static_cast<node *>(calloc(1, sizeof(*block)));
	return in_turn(use_block, free_block);
}

static int freeing_joined(char **)
{
	block = static_cast<node *>(calloc(1, sizeof(*block)));
	return joined(use_block, free_block);
}

struct base {
	virtual void call() { KEEP; }
	virtual ~base() { wait(); }
	base(bool is_slow = false) { if (is_slow) wait(); }
	static void wait()
	{
		pass();
		wait_for(2);
	}
};

struct derived : base {
	int value = 1;
	derived(bool is_slow) : base(is_slow) { }
	void call() override { value++; }
	~derived() override { value = 0; }
};

static base *object;
alignas(derived) static char room[sizeof(derived)];

NOINLINE static void call_virtual() { object->call(); KEEP; }
NOINLINE static void destroy() { object->~base(); KEEP; }
NOINLINE static void construct() { new (room) derived(true); KEEP; }

static int vptr_in_destructor(char **)
{
	object = new (room) derived(false);
	return in_turn(destroy, call_virtual);
}

static int vptr_in_constructor(char **)
{
	object = reinterpret_cast<base *>(room);
	return in_turn(construct, call_virtual);
}

static int vptr_joined(char **)
{
	object = new (room) derived(false);
	turn = 0;
	int rc = joined(call_virtual, add);
	turn = 2;
	destroy();
	return rc;
}

static struct global {
	int value = 0;
	~global() { leave(); }
	NOINLINE void use() { value++; KEEP; }
	NOINLINE void leave() { value = 0; KEEP; }
} global;

static void use_global() { global.use(); }

// The thread has not told that it is ready before the object is destroyed.
static int exiting(char **)
{
	static part user = { use_global, 0 };
	pthread_t thread;

	pthread_create(&thread, nullptr, run_part, &user);
	pthread_detach(thread);
	wait_for(1);
	return 0;
}

static int exiting_joined(char **) { return joined(use_global, add); }

// ---- locks and descriptors ----

static pthread_mutex_t *short_lived;
static int pipe_ends[2];

NOINLINE static void use_lock()
{
	pthread_mutex_lock(short_lived);
	pthread_mutex_unlock(short_lived);
}

NOINLINE static void destroy_lock() { pthread_mutex_destroy(short_lived); KEEP; }

static int locks_destroyed(body *run)
{
	static pthread_mutex_t made;

	pthread_mutex_init(&made, nullptr);
	short_lived = &made;
	return run == nullptr ? joined(use_lock, destroy_lock) : in_turn(use_lock, run);
}

static int mutexes(char **) { return locks_destroyed(destroy_lock); }
static int mutexes_joined(char **) { return locks_destroyed(nullptr); }

NOINLINE static void use_pipe() { if (write(pipe_ends[1], "", 1) != 1) KEEP; }
NOINLINE static void close_pipe() { close(pipe_ends[1]); KEEP; }

static int descriptors(char **) { return pipe(pipe_ends) ? 1 : in_turn(use_pipe, close_pipe); }
static int descriptors_joined(char **) { return pipe(pipe_ends) ? 1 : joined(use_pipe, close_pipe); }

#define SITUATION(name) { #name, name }

static const struct situation situations[] = {
	SITUATION(counter), SITUATION(counter_locked), SITUATION(counter_joined),
	SITUATION(two_variables), SITUATION(by_chance), SITUATION(against_chance),
	SITUATION(by_semaphore), SITUATION(by_condition), SITUATION(by_barrier),
	SITUATION(notification), SITUATION(notification_atomic), SITUATION(reader_writes),
	SITUATION(writer_writes), SITUATION(bit_fields), SITUATION(neighbours),
	SITUATION(thread_locals), SITUATION(structures), SITUATION(structures_locked),
	SITUATION(references), SITUATION(references_atomic), SITUATION(publishing),
	SITUATION(publishing_atomic), SITUATION(lazy), SITUATION(lazy_once),
	SITUATION(double_check), SITUATION(double_check_atomic), SITUATION(freeing),
	SITUATION(freeing_joined), SITUATION(vptr_in_destructor),
	SITUATION(vptr_in_constructor), SITUATION(vptr_joined), SITUATION(exiting),
	SITUATION(exiting_joined), SITUATION(mutexes), SITUATION(mutexes_joined),
	SITUATION(descriptors), SITUATION(descriptors_joined), {},
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}
