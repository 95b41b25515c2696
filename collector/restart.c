/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel never restarts sleeps, polls and waits with a timeout after a handler has run: the
 * program would see an EINTR that it does not see without us. The tick comes while the thread
 * still runs, at the beginning of the call, so making it again keeps its timeout to a tick.
 *
 * The call's number is gone from rax; it is found in the instruction before: mov $number, %eax.
 */

#include <collector/restart.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#define MOV_EAX	    0xb8
#define CALL_LENGTH 7 /* mov $number, %eax; syscall */

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
	case 441: /* epoll_pwait2 */
	case SYS_pause:
	case SYS_rt_sigsuspend:
	case SYS_rt_sigtimedwait:
	case SYS_semop:
	case SYS_semtimedop:
	case SYS_msgrcv:
	case SYS_msgsnd:
	case SYS_io_getevents:
		return true;
	}
	return false;
}

/* The kernel has left there what remains of a sleep. */
static void take_remaining_time(greg_t *registers, uint32_t number)
{
	if (number == SYS_nanosleep && registers[REG_RSI] != 0)
		registers[REG_RDI] = registers[REG_RSI];
	if (number == SYS_clock_nanosleep && registers[REG_R10] != 0 &&
	    registers[REG_RSI] == 0 /* not TIMER_ABSTIME */)
		registers[REG_RDX] = registers[REG_R10];
}

static void restart(ucontext_t *context, bool is_restarted(uint32_t number))
{
	greg_t *registers = context->uc_mcontext.gregs;
	uintptr_t pc = (uintptr_t)registers[REG_RIP];
	const uint8_t *call = (const uint8_t *)pc - CALL_LENGTH;
	uint32_t number;

	if (registers[REG_RAX] != -EINTR || (pc & 4095) < CALL_LENGTH)
		return;
	if (call[0] != MOV_EAX || call[5] != 0x0f || call[6] != 0x05)
		return;
	memcpy(&number, call + 1, sizeof(number));
	if (!is_restarted(number))
		return;
	take_remaining_time(registers, number);
	registers[REG_RIP] = (greg_t)(uintptr_t)call;
}

void restart_interrupted_call(ucontext_t *context)
{
	restart(context, is_never_restarted);
}

/* What close() was to close is closed. */
static bool is_not_close(uint32_t number)
{
	return number != SYS_close;
}

void restart_every_call(ucontext_t *context)
{
	restart(context, is_not_close);
}
