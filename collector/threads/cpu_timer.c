/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/threads/cpu_timer.h"

#include <signal.h>

#include "collector/base/system.h"
#include "collector/threads/thread.h"

static clockid_t clock_of(pid_t tid, enum cpu_clock clock)
{
	return (clockid_t)(~(unsigned)tid << 3 | clock);
}

uint64_t cpu_clock_ns(pid_t tid, enum cpu_clock clock)
{
	return sys_clock_ns(clock_of(tid, clock));
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / NS_PER_SECOND),
				  (long)(ns % NS_PER_SECOND) };
}

static int make(clockid_t clock, pid_t tid, int signal, void *mark)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID,
				  .sigev_signo = signal,
				  .sigev_value.sival_ptr = mark };
	int number = -1;

	event._sigev_un._tid = tid;
	system_call(SYS_timer_create, clock, (long)&event, (long)&number, 0, 0, 0);
	return number;
}

void cpu_timer_start(int *timer, const struct thread *thread, void *mark,
		     uint64_t first_ns, uint64_t period_ns)
{
	struct itimerspec when = {
		.it_interval = timespec_of(period_ns),
		.it_value = timespec_of(first_ns),
	};
	int number =
		make(CLOCK_THREAD_CPUTIME_ID, thread->tid, thread->timer_signal, mark);

	if (number < 0)
		return;
	*timer = number;
	system_call(SYS_timer_settime, number, TIMER_ABSTIME, (long)&when, 0, 0, 0);
}

void cpu_timer_start_once(int *timer, pid_t tid, int signal, void *mark)
{
	*timer = make(clock_of(tid, CPU_CLOCK_PRECISE), tid, signal, mark);
	cpu_timer_repeat_once(*timer, 1);
}

void cpu_timer_repeat_once(int timer, uint64_t after_ns)
{
	const struct itimerspec soon = { .it_value = timespec_of(after_ns) };

	if (timer >= 0)
		system_call(SYS_timer_settime, timer, 0, (long)&soon, 0, 0, 0);
}

void cpu_timer_delete(int *timer)
{
	if (*timer >= 0)
		system_call(SYS_timer_delete, *timer, 0, 0, 0, 0, 0);
	*timer = -1;
}
