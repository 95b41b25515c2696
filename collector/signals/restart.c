/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel never restarts sleeps, polls and waits with a timeout after a handler has
 * run: the program would see an EINTR that the recording causes. A signal of an event
 * comes while the thread still runs, at the beginning of the call, so making the call
 * again changes its timeout by at most a tick.
 *
 * A signal that should end the call may be pending after the collector's, or may have
 * been handled just before: a call made again would then never end.
 */

#include "collector/signals/restart.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/signals/shared.h"
#include "collector/signals/signals.h"
#include "collector/unwind/interrupted.h"
#include "libexpt/format.h"

#define RESUME_FLAG 0x10000 /* internal to the kernel */
#define SIGNALS	    64
/* Headers may be older. */
#define EPOLL_PWAIT2		 441
#define IORING_ENTER_EXT_ARG	 (1 << 3)
#define IORING_ENTER_EXT_ARG_REG (1 << 6)

/* Interrupted calls that were not made again because their numbers are unknown. */
static _Atomic uint32_t unclear;

static bool is_never_restarted(uint32_t number)
{
	switch (number) {
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_poll:
	case SYS_ppoll:
	case SYS_select:
	case SYS_pselect6:
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
	case EPOLL_PWAIT2:
	case SYS_pause:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
	case SYS_semop:
	case SYS_semtimedop:
	case SYS_msgrcv:
	case SYS_msgsnd:
	case SYS_io_getevents:
	case SYS_io_uring_enter:
	case SYS_futex: /* with a timeout, which is an absolute time */
		return true;
	}
	return false;
}

/* Calls that are restarted if the handler has SA_RESTART, and otherwise end with EINTR.
 */
static bool is_restarted_at_will(uint64_t number)
{
	switch (number) {
	case SYS_read:
	case SYS_readv:
	case SYS_write:
	case SYS_writev:
	case SYS_ioctl:
	case SYS_open:
	case SYS_openat:
	case SYS_flock:
	case SYS_fcntl:
	case SYS_wait4:
	case SYS_waitid:
	case SYS_accept:
	case SYS_accept4:
	case SYS_connect:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_recvmmsg:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
	case SYS_sendfile:
	case SYS_splice:
	case SYS_tee:
	case SYS_vmsplice:
	case SYS_futex:
	case SYS_getrandom:
	case SYS_mq_timedsend:
	case SYS_mq_timedreceive:
		return true;
	}
	return false;
}

/* Continue a sleep with the remaining time, which the kernel has stored. */
static void take_remaining_time(greg_t *registers, uint32_t number)
{
	if (number == SYS_nanosleep && registers[REG_RSI] != 0)
		registers[REG_RDI] = registers[REG_RSI];
	if (number == SYS_clock_nanosleep && registers[REG_R10] != 0 &&
	    registers[REG_RSI] == 0 /* not TIMER_ABSTIME */)
		registers[REG_RDX] = registers[REG_R10];
}

/* ---- the signals that wait ---- */

/* The kernel's form of a disposition. */
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

/* A shared signal does not count: the collector's handler is called for it, and decides
 * then. */
static bool has_handler(int signal, bool *is_restarting)
{
	struct kernel_action action = { 0 };

	if (shared_index(signal) >= 0 ||
	    system_call(SYS_rt_sigaction, signal, 0, (long)&action, sizeof(action.mask),
			0, 0) < 0 ||
	    action.handler == SIG_DFL || action.handler == SIG_IGN)
		return false;
	*is_restarting = (action.flags & SA_RESTART) != 0;
	return true;
}

/* Returns the pending signals that are not in blocked and have a handler of the program.
 * *ending: those of them that end even a call that is restarted. */
static uint64_t waiting_signals(uint64_t blocked, uint64_t *ending)
{
	uint64_t waiting = 0, handled = 0;

	*ending = 0;
	if (collector_is_frozen() || system_call(SYS_rt_sigpending, (long)&waiting,
						 sizeof(waiting), 0, 0, 0, 0) < 0)
		return 0;
	waiting &= ~blocked;
	for (int signal = 1; signal <= SIGNALS && waiting >> (signal - 1) != 0;
	     signal++) {
		bool is_restarting;

		if ((waiting & SIGNAL_BIT(signal)) == 0 ||
		    !has_handler(signal, &is_restarting))
			continue;
		handled |= SIGNAL_BIT(signal);
		if (!is_restarting)
			*ending |= SIGNAL_BIT(signal);
	}
	return handled;
}

/* Libc uses these two itself. */
#define SIGNALS_OF_LIBC (SIGNAL_BIT(32) | SIGNAL_BIT(33))

/* Whether the program handles any signal that ends calls. */
static bool has_handlers(void)
{
	if (collector_is_frozen())
		return true;
	for (int signal = 1; signal <= SIGNALS; signal++) {
		int index = shared_index(signal);
		bool is_restarting;

		if (((SIGNALS_FAULTS | SIGNALS_OF_LIBC) & SIGNAL_BIT(signal)) != 0)
			continue;
		if (index >= 0) {
			struct sigaction view = shared_view(index);

			if (shared_is_handler(&view))
				return true;
		} else if (has_handler(signal, &is_restarting)) {
			return true;
		}
	}
	return false;
}

static uint64_t mask_of(const ucontext_t *context)
{
	uint64_t mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	return mask;
}

/* ---- of a call that has ended, or is about to be made again ---- */

/* The last arguments are a mask and its size, or a structure that begins with both. */
static const uint64_t *own_mask_of_ring(const greg_t *registers)
{
	const void *argument = (const void *)(uintptr_t)registers[REG_R8];

	if (!argument || (registers[REG_R10] & IORING_ENTER_EXT_ARG_REG) != 0)
		return NULL;
	return (registers[REG_R10] & IORING_ENTER_EXT_ARG) != 0
		       ? *(const uint64_t *const *)argument
		       : argument;
}

/* Get the mask that is in force during the call; false: the call has no mask of its own.
 */
static bool has_own_mask(const greg_t *registers, uint32_t number, uint64_t *mask)
{
	const uint64_t *own = NULL;

	switch (number) {
	case SYS_rt_sigsuspend:
		own = (const uint64_t *)(uintptr_t)registers[REG_RDI];
		break;
	case SYS_ppoll:
		own = (const uint64_t *)(uintptr_t)registers[REG_R10];
		break;
	case SYS_pselect6:
		if (registers[REG_R9] != 0)
			own = *(const uint64_t **)(uintptr_t)registers[REG_R9];
		break;
	case SYS_epoll_pwait:
	case EPOLL_PWAIT2:
		own = (const uint64_t *)(uintptr_t)registers[REG_R8];
		break;
	case SYS_io_uring_enter:
		own = own_mask_of_ring(registers);
		break;
	}
	if (own)
		*mask = *own;
	return own != NULL;
}

/* A call with its own mask has ended, but the signal that should have ended it is still
 * pending, and is blocked now: the collector's signal came first. */
static bool is_to_be_ended(const greg_t *registers, uint32_t number)
{
	uint64_t mask, ending;

	return has_own_mask(registers, number, &mask) &&
	       waiting_signals(mask, &ending) != 0;
}

/* A signal of ours that comes when a call has ended anyhow is the reason for EINTR where
 * a debugger, or SIGSTOP, has interrupted the call: the kernel would have gone on with
 * it. Else that reason is a handler of the program, of which there is none, or which
 * these calls wait for. */
static bool was_stopped(uint32_t number)
{
	return number != SYS_pause && number != SYS_rt_sigsuspend && !has_handlers();
}

static void restart(ucontext_t *context, bool is_by_us)
{
	greg_t *registers = context->uc_mcontext.gregs;
	uintptr_t pc = (uintptr_t)registers[REG_RIP];
	uint64_t ending;
	uint32_t number;

	if (!interrupted_call_number(&number, context)) {
		if (is_by_us)
			atomic_fetch_add(&unclear, 1);
		return;
	}
	if (!is_never_restarted(number) ||
	    waiting_signals(mask_of(context), &ending) != 0 ||
	    (!is_by_us && !is_to_be_ended(registers, number) && !was_stopped(number)))
		return;
	take_remaining_time(registers, number);
	registers[REG_RAX] = number;
	registers[REG_RIP] = (greg_t)(pc - SYSCALL_LENGTH);
}

/* Returns true if the kernel has gone back to the beginning of a call. It leaves the
 * return address in rcx, and the flags in r11. */
static bool is_before_call(const greg_t *registers)
{
	const uint8_t *pc = (const uint8_t *)(uintptr_t)registers[REG_RIP];

	return registers[REG_RCX] == registers[REG_RIP] + SYSCALL_LENGTH &&
	       ((registers[REG_R11] ^ registers[REG_EFL]) & ~RESUME_FLAG) == 0 &&
	       ((uintptr_t)pc & 4095) <= 4096 - SYSCALL_LENGTH && pc[0] == 0x0f &&
	       pc[1] == 0x05;
}

/* Returns true for a call that is about to be made again, by the kernel or after an
 * earlier signal of ours, and that a handler ends. is_restarting: the handler has
 * SA_RESTART. */
static bool is_ended_by_handler(const greg_t *registers, bool is_restarting)
{
	uint64_t number = (uint64_t)registers[REG_RAX];

	if (is_restarted_at_will(number))
		return !is_restarting && is_before_call(registers);
	return number <= UINT32_MAX && is_never_restarted((uint32_t)number) &&
	       is_before_call(registers);
}

/* A debugger has stopped the thread in a sleep, and the kernel is about to continue it
 * with the time that is left. It forgets about that as soon as a handler returns. */
static bool is_being_continued(const greg_t *registers)
{
	return registers[REG_RAX] == SYS_restart_syscall && is_before_call(registers);
}

/* Continue the sleep here, with the signals of the program; one of ours would end it. */
static void continue_sleep(ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;
	uint64_t mask = mask_of(context) | SIGNALS_EVENTS, blocked = 0;

	sys_sigmask(SIG_SETMASK, &mask, &blocked);
	registers[REG_RAX] = system_call(SYS_restart_syscall, 0, 0, 0, 0, 0, 0);
	sys_sigmask(SIG_SETMASK, &blocked, NULL);
	registers[REG_RIP] += SYSCALL_LENGTH;
}

void restart_refuse(ucontext_t *context, bool is_restarting)
{
	greg_t *registers = context->uc_mcontext.gregs;

	if (!is_ended_by_handler(registers, is_restarting))
		return;
	registers[REG_RAX] = -EINTR;
	registers[REG_RIP] += SYSCALL_LENGTH;
}

void restart_interrupted_call(ucontext_t *context, bool is_by_us)
{
	const greg_t *registers = context->uc_mcontext.gregs;
	uint64_t ending;

	if (registers[REG_RAX] == -EINTR) {
		restart(context, is_by_us);
	} else if (is_being_continued(registers)) {
		if (!collector_is_frozen())
			continue_sleep(context);
	} else if (is_ended_by_handler(registers, false)) {
		uint64_t handled = waiting_signals(mask_of(context), &ending);

		if (handled != 0)
			restart_refuse(context, ending == 0);
	}
}

/* ---- in the log ---- */

void restart_forget(void)
{
	atomic_store(&unclear, 0);
}

void restart_report(void)
{
	uint32_t count = atomic_exchange(&unclear, 0);
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	if (count == 0)
		return;
	text_add_decimal(&text, count);
	text_add(&text,
		 " system calls were interrupted by the recording and failed with EINTR");
	log_message("cwarn", EXPT_WARNING_GENERAL, buffer, 0);
}
