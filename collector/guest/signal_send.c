/* SPDX-License-Identifier: Apache-2.0 */
/* The usual functions by which a thread sends a signal to itself. Those that signal the
 * whole process are not wrapped: their signals are queued separately from those of
 * events, which go to a thread. */

#include <pthread.h>
#include <sys/types.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/signals/signals.h"
#include "collector/signals/waiting.h"
#include "collector/threads/thread.h"

static bool may_be_dropped(int signal)
{
	return thread_self && signals_is_shared(signal) &&
	       (SIGNALS_EVENTS & SIGNAL_BIT(signal)) != 0;
}

/* Evaluate call, and again if the kernel dropped its signal. */
#define SEND_AND_RETURN(is_to_self, signal, call)         \
	struct deliveries before;                         \
	int rc;                                           \
                                                          \
	if (!(is_to_self) || !may_be_dropped(signal))     \
		return call;                              \
	do {                                              \
		before = waiting_deliveries();            \
		rc = call;                                \
	} while (rc == 0 && waiting_was_dropped(before)); \
	return rc

#define RAISE(local, symbol)                                         \
	INTERPOSE(int, local, #symbol "@@GLIBC_2.2.5", (int signal)) \
	{                                                            \
		REAL(symbol, "GLIBC_2.2.5", int, (int));             \
		SEND_AND_RETURN(true, signal, real(signal));         \
	}

RAISE(raise_2_2_5, raise)
RAISE(gsignal_2_2_5, gsignal)

#define PTHREAD_KILL(local, at, version)                                             \
	INTERPOSE(int, local, "pthread_kill" at version, (pthread_t to, int signal)) \
	{                                                                            \
		REAL(pthread_kill, version, int, (pthread_t, int));                  \
		SEND_AND_RETURN(to == pthread_self(), signal, real(to, signal));     \
	}

PTHREAD_KILL(pthread_kill_2_2_5, "@", "GLIBC_2.2.5")
PTHREAD_KILL(pthread_kill_2_34, "@@", "GLIBC_2.34")

INTERPOSE(int, tgkill_2_30, "tgkill@@GLIBC_2.30", (pid_t pid, pid_t tid, int signal))
{
	REAL(tgkill, "GLIBC_2.30", int, (pid_t, pid_t, int));
	SEND_AND_RETURN(pid == process.pid && thread_self && tid == thread_self->tid,
			signal, real(pid, tid, signal));
}
