/* SPDX-License-Identifier: Apache-2.0 */
/* One signal of each number can wait, as in the kernel. The handler of any thread stores
 * it, without a lock. */

#include "collector/signals/waiting.h"

#include <stdatomic.h>

#include "collector/base/system.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/signals/signals.h"
#include "collector/threads/thread.h"

enum { NOTHING, WAITS, IN_USE };

static struct place {
	int signal;
	siginfo_t info;
	_Atomic int state;
} places[] = { { .signal = SIGNAL_OF_OVERFLOWS },
	       { .signal = SIGNAL_QUIET },
	       { .signal = SIGPROF },
	       { .signal = SIGBUS } };

#define PLACES (sizeof(places) / sizeof(places[0]))

void waiting_put(int signal, const siginfo_t *info)
{
	for (size_t i = 0; i < PLACES; i++) {
		int nothing = NOTHING;

		if (places[i].signal != signal ||
		    !atomic_compare_exchange_strong(&places[i].state, &nothing, IN_USE))
			continue;
		places[i].info = *info;
		atomic_store(&places[i].state, WAITS);
	}
}

uint64_t waiting_set(void)
{
	uint64_t signals = 0;

	for (size_t i = 0; i < PLACES; i++)
		if (atomic_load(&places[i].state) == WAITS)
			signals |= SIGNAL_BIT(places[i].signal);
	return signals;
}

int waiting_take(uint64_t signals, siginfo_t *info)
{
	for (size_t i = 0; i < PLACES; i++) {
		int waits = WAITS;

		if ((signals & SIGNAL_BIT(places[i].signal)) == 0 ||
		    !atomic_compare_exchange_strong(&places[i].state, &waits, IN_USE))
			continue;
		if (info)
			*info = places[i].info;
		atomic_store(&places[i].state, NOTHING);
		return places[i].signal;
	}
	return 0;
}

void waiting_send(uint64_t signals)
{
	siginfo_t info;
	int signal;

	while ((signal = waiting_take(signals, &info)) > 0)
		system_call(SYS_rt_tgsigqueueinfo, process.pid, sys_gettid(), signal,
			    (long)&info, 0, 0);
}

struct deliveries waiting_deliveries(void)
{
	return (struct deliveries){ thread_self->delivered, thread_self->taken };
}

bool waiting_was_dropped(struct deliveries before)
{
	return thread_self->taken != before.taken &&
	       thread_self->delivered == before.delivered;
}

void waiting_release(uint64_t signals)
{
	siginfo_t info;
	int signal;

	while ((signal = waiting_take(signals, &info)) > 0) {
		struct deliveries before;

		do {
			before = waiting_deliveries();
			system_call(SYS_rt_tgsigqueueinfo, process.pid, thread_self->tid,
				    signal, (long)&info, 0, 0);
		} while (waiting_was_dropped(before));
	}
}

void waiting_drop(uint64_t signals, bool (*is_ours)(const siginfo_t *info))
{
	static const struct timespec at_once;
	uint64_t others = 0;
	siginfo_t info;

	while (system_call(SYS_rt_sigtimedwait, (long)&signals, (long)&info,
			   (long)&at_once, sizeof(signals), 0, 0) > 0) {
		if (is_ours(&info))
			continue;
		waiting_put(info.si_signo, &info);
		others |= SIGNAL_BIT(info.si_signo);
	}
	waiting_send(others);
}

void waiting_forget(void)
{
	for (size_t i = 0; i < PLACES; i++)
		atomic_store(&places[i].state, NOTHING);
}
