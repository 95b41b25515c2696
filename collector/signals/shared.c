/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/signals/shared.h"

#include <stdatomic.h>

#define SHARED_MAX 7
#define SLOTS	   4
#define RESTORER   0x04000000 /* the kernel reports it to every caller */

static struct shared {
	_Atomic int signal; /* 0: none, or no longer */
	/* Each new disposition is written to another slot and replaces the old one as a
	 * whole. */
	struct sigaction slots[SLOTS];
	_Atomic(struct sigaction *) view;
	_Atomic unsigned changes;
} table[SHARED_MAX];
static _Atomic int count;

bool shared_is_handler(const struct sigaction *view)
{
	return view->sa_handler != SIG_DFL && view->sa_handler != SIG_IGN;
}

int shared_count(void)
{
	return atomic_load(&count);
}

int shared_signal(int index)
{
	return atomic_load(&table[index].signal);
}

int shared_index(int signal)
{
	for (int i = 0; i < shared_count(); i++)
		if (shared_signal(i) == signal)
			return i;
	return -1;
}

/* Returns a place that was left, or else the next one. */
static int find_place(void)
{
	int left = shared_index(0);

	return left >= 0 ? left : shared_count();
}

bool shared_add(int signal, const struct sigaction *view)
{
	int place = find_place();
	struct shared *shared = &table[place];

	if (place == SHARED_MAX)
		return false;
	shared->slots[0] = *view;
	atomic_store(&shared->view, &shared->slots[0]);
	atomic_store(&shared->signal, signal);
	if (place == shared_count())
		atomic_fetch_add(&count, 1);
	return true;
}

void shared_remove(int index)
{
	atomic_store(&table[index].signal, 0);
}

struct sigaction shared_view(int index)
{
	struct shared *shared = &table[index];
	struct sigaction view;
	unsigned before;

	do {
		before = atomic_load(&shared->changes);
		view = *atomic_load(&shared->view);
		atomic_thread_fence(memory_order_acquire);
	} while (atomic_load(&shared->changes) != before);
	return view;
}

struct sigaction shared_change(int index, const struct sigaction *view)
{
	struct shared *shared = &table[index];
	unsigned change = atomic_fetch_add(&shared->changes, 1) + 1;
	struct sigaction *next = &shared->slots[change % SLOTS];

	*next = *view;
	next->sa_flags |= RESTORER;
	return *atomic_exchange(&shared->view, next);
}

bool shared_take_handler(int index, const struct sigaction *view)
{
	struct sigaction *now = atomic_load(&table[index].view);
	__sighandler_t expected = view->sa_handler;

	return (view->sa_flags & (int)SA_RESETHAND) == 0 ||
	       __atomic_compare_exchange_n(&now->sa_handler, &expected, SIG_DFL, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
