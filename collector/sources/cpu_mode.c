/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sources/cpu_mode.h"

#include "collector/base/system.h"
#include "collector/process/guard.h"
#include "collector/threads/cpu_timer.h"
#include "collector/threads/thread.h"

static bool is_after_system_call(const ucontext_t *context)
{
	uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	const uint8_t *before = (const uint8_t *)pc - 2;

	/* The bytes before pc are mapped if they are in its page. */
	return (pc & 4095) >= 2 && before[0] == 0x0f && before[1] == 0x05;
}

void cpu_mode_start(struct thread *thread)
{
	thread->mode = (struct cpu_mode){ 0 };
}

static uint64_t guess(const ucontext_t *context)
{
	return context && is_after_system_call(context) ? 0 : CPU_MODE_USER;
}

/* Ticks are much longer than 2^12 ns. */
static uint64_t share_of(uint64_t user, uint64_t all)
{
	return user < all ? (user >> 12 << 32) / ((all >> 12) + 1) : CPU_MODE_USER;
}

uint64_t cpu_mode_ask(struct thread *thread, const ucontext_t *context)
{
	struct cpu_mode *mode = &thread->mode, last = *mode;
	pid_t tid = context ? 0 : thread->tid; /* 0, the thread itself, is found faster */
	uint64_t user, all;

	if (collector_is_frozen())
		return guess(context);
	mode->all_ns = cpu_clock_ns(tid, CPU_CLOCK_ALL_TICKS);
	mode->user_ns = cpu_clock_ns(tid, CPU_CLOCK_USER_TICKS);
	user = mode->user_ns - last.user_ns;
	all = mode->all_ns - last.all_ns;
	mode->is_mixed = last.all_ns != 0 && user != 0 && user < all;
	if (all != 0)
		mode->share = share_of(user, all);
	else if (mode->all_ns == 0)
		mode->share = guess(context);
	return mode->share; /* the same tick may send two signals */
}

bool cpu_mode_is_mixed(const struct thread *thread)
{
	return thread->mode.is_mixed;
}

uint64_t cpu_mode_user_ns(uint64_t share, uint64_t time_ns)
{
	return (uint64_t)((unsigned __int128)time_ns * share >> 32);
}
