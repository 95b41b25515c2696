/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/deadlock/hang.h"

#include <errno.h>

#include "collector/api.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/deadlock/guard.h"
#include "collector/deadlock/party.h"
#include "collector/deadlock/report.h"
#include "collector/sources/conflicts.h"
#include "libexpt/format.h"

int hang_action;

#define CHAIN_MAX 32
#define READS_MAX 10

/* A deadlock is one if nothing changes for a while: a handler may release a lock. */
#define LOOKS	   10
#define BETWEEN_NS 10000000

/* A thread that holds the lock that the one before it wants. */
struct link {
	struct party *party;
	unsigned changes;
	size_t entry; /* of that lock; NOT_HELD: the end of the thread is waited for */
	uintptr_t held, wanted;
	bool wants_shared;
	uint64_t held_stack, wanted_stack;
};

struct chain {
	struct party *self;
	bool may_hang_alone;
	unsigned count;
	struct link links[CHAIN_MAX];
};

/* Does the party hold the lock, and so that others must wait? The end of a thread is a
 * lock that it holds itself. */
static bool find_entry(struct link *link, uintptr_t lock, bool is_shared)
{
	const struct party *party = link->party;
	size_t count = party->count;

	for (size_t i = 0; i < count && i < HELD_MAX; i++) {
		const struct held *held = &party->held[i];

		if (atomic_load(&held->lock) != lock || (is_shared && held->is_shared))
			continue;
		link->entry = i;
		link->held = lock;
		link->held_stack = held->stack;
		return true;
	}
	link->entry = NOT_HELD;
	link->held = lock;
	link->held_stack = 0;
	return (uintptr_t)party->id == lock;
}

/* Returns whether the party holds the lock; all that is read was so at one moment. */
static bool look(struct link *link, struct party *party, uintptr_t lock, bool is_shared)
{
	link->party = party;
	for (int i = 0; i < READS_MAX; i++) {
		bool is_found;

		link->changes = atomic_load(&party->changes);
		is_found = find_entry(link, lock, is_shared);
		link->wanted = atomic_load(&party->wanted);
		link->wants_shared = atomic_load(&party->wants_shared);
		link->wanted_stack = party->wanted_stack;
		atomic_thread_fence(memory_order_seq_cst);
		if (link->changes % 2 == 0 &&
		    atomic_load(&party->changes) == link->changes)
			return is_found && atomic_load(&party->is_live);
	}
	return false;
}

static bool is_in(const struct chain *chain, const struct party *party)
{
	for (unsigned i = 0; i < chain->count; i++)
		if (chain->links[i].party == party)
			return true;
	return false;
}

/* Find a way from the holders of the lock to the calling thread. */
static bool follow(struct chain *chain, uintptr_t lock, bool is_shared)
{
	struct link *link = &chain->links[chain->count];

	if (chain->count == CHAIN_MAX)
		return false;
	for (struct party *at = party_first(); at; at = at->next) {
		if ((at->count == 0 && (uintptr_t)at->id != lock) || is_in(chain, at) ||
		    !look(link, at, lock, is_shared) || link->wanted == 0 ||
		    (at == chain->self && chain->count == 0 && !chain->may_hang_alone))
			continue;
		chain->count++;
		if (at == chain->self || follow(chain, link->wanted, link->wants_shared))
			return true;
		chain->count--;
	}
	return false;
}

/* Does the kernel say that the thread runs? Then it has left the call by a jump. */
static bool is_running(int32_t tid)
{
	char line[512], path[40];
	struct text name = TEXT_ON(path);
	ssize_t size, end;
	int fd;

	text_add(&name, "/proc/self/task/");
	text_add_decimal(&name, tid);
	text_add(&name, "/stat");
	fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	size = sys_read(fd, line, sizeof(line));
	sys_close(fd);
	for (end = size - 1; end > 0 && line[end] != ')';)
		end--;
	return end > 0 && end + 2 < size && line[end + 2] == 'R';
}

static bool is_unchanged(const struct chain *chain)
{
	for (unsigned i = 0; i < chain->count; i++) {
		const struct link *link = &chain->links[i];

		if (atomic_load(&link->party->changes) != link->changes)
			return false;
		if (link->entry != NOT_HELD &&
		    atomic_load(&link->party->held[link->entry].lock) != link->held)
			return false;
	}
	return true;
}

static bool is_lasting(const struct chain *chain)
{
	for (int i = 0; i < LOOKS; i++) {
		sys_sleep(BETWEEN_NS);
		if (!is_unchanged(chain))
			return false;
	}
	for (unsigned i = 0; i < chain->count; i++)
		if (chain->links[i].party != chain->self &&
		    !atomic_load(&chain->links[i].party->is_spinning) &&
		    is_running(chain->links[i].party->tid))
			return false;
	return true;
}

/* Returns false if it was recorded before, or cannot be recorded. */
static bool record(const struct chain *chain)
{
	struct blocked threads[CHAIN_MAX];
	bool is_recorded;

	for (unsigned i = 0; i < chain->count; i++) {
		const struct link *link = &chain->links[i];

		threads[i] = (struct blocked){ link->party->tid, link->held, link->wanted,
					       link->held_stack, link->wanted_stack };
	}
	if (!guard_take())
		return false;
	is_recorded = report_actual(threads, chain->count);
	guard_drop();
	return is_recorded;
}

/* ---- the end of the program ---- */

#define MASK_SIZE 8

/* Go around the program's handlers, which may wait for the locks. */
static void die_by(int signal)
{
	static const struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} by_default;
	uint64_t none = 0;

	system_call(SYS_rt_sigaction, signal, (long)&by_default, 0, MASK_SIZE, 0, 0);
	sys_sigmask(SIG_SETMASK, &none, NULL);
	sys_tgkill(sys_getpid(), sys_gettid(), signal);
	system_call(SYS_exit_group, 128 + signal, 0, 0, 0, 0, 0);
}

static void act(void)
{
	static const struct {
		int number, signal;
		const char *text;
	} acts[] = {
		[DEADLOCK_TERMINATE] = { EXPT_WARNING_DEADLOCK_TERMINATED, SIGTERM,
					 "threads wait for each other" },
		[DEADLOCK_ABORT] = { EXPT_WARNING_DEADLOCK_ABORTED, SIGABRT,
				     "threads wait for each other" },
		[DEADLOCK_CONTINUE] = { EXPT_WARNING_DEADLOCK_CONTINUED, 0,
					"threads wait for each other" },
	};
	int action = hang_action >= DEADLOCK_TERMINATE && hang_action < DEADLOCK_CONTINUE
			     ? hang_action
			     : DEADLOCK_CONTINUE;

	deadlocks_note(acts[action].number, acts[action].text);
	if (acts[action].signal == 0)
		return;
	__collector_terminate_expt();
	die_by(acts[action].signal);
}

void hang_check(struct party *party, bool may_hang_alone)
{
	struct chain chain;
	int error = errno;

	chain.self = party;
	chain.may_hang_alone = may_hang_alone;
	chain.count = 0;
	if (follow(&chain, party->wanted, party->wants_shared) && is_lasting(&chain) &&
	    record(&chain))
		act();
	errno = error;
}
