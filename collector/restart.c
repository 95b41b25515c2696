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

#define MOV_EAX	       0xb8
#define MOV_EAX_LENGTH 5
#define SYSCALL_LENGTH 2
#define LONGEST_CALL   11
#define RESUME_FLAG    0x10000 /* the kernel's own */

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
	case SYS_futex: /* with a limit of time, which is a time of the clock */
		return true;
	}
	return false;
}

/* Those that are, if the handler has SA_RESTART, and otherwise end with EINTR. */
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

/* The kernel has left there what remains of a sleep. */
static void take_remaining_time(greg_t *registers, uint32_t number)
{
	if (number == SYS_nanosleep && registers[REG_RSI] != 0)
		registers[REG_RDI] = registers[REG_RSI];
	if (number == SYS_clock_nanosleep && registers[REG_R10] != 0 &&
	    registers[REG_RSI] == 0 /* not TIMER_ABSTIME */)
		registers[REG_RDX] = registers[REG_R10];
}

/* The number of the call that has ended before pc; false: it cannot be told. */
static bool read_number(uint32_t *number, const uint8_t *pc)
{
	const uint8_t *at = pc - SYSCALL_LENGTH;

	if (((uintptr_t)pc & 4095) < LONGEST_CALL || at[0] != 0x0f || at[1] != 0x05)
		return false;
	/* Between the two there may be mov offset(%rsp), %edi. */
	if (at[-MOV_EAX_LENGTH] != MOV_EAX && at[-4] == 0x8b && at[-3] == 0x7c &&
	    at[-2] == 0x24)
		at -= 4;
	at -= MOV_EAX_LENGTH;
	memcpy(number, at + 1, sizeof(*number));
	return at[0] == MOV_EAX;
}

void restart_interrupted_call(ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;
	uintptr_t pc = (uintptr_t)registers[REG_RIP];
	uint32_t number;

	if (registers[REG_RAX] != -EINTR || !read_number(&number, (const uint8_t *)pc) ||
	    !is_never_restarted(number))
		return;
	take_remaining_time(registers, number);
	registers[REG_RAX] = number;
	registers[REG_RIP] = (greg_t)(pc - SYSCALL_LENGTH);
}

void restart_refuse(ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;
	const uint8_t *pc = (const uint8_t *)(uintptr_t)registers[REG_RIP];

	/* A call that was made has left where it returns to in rcx, and the flags in r11. */
	if (registers[REG_RCX] != registers[REG_RIP] + SYSCALL_LENGTH ||
	    ((registers[REG_R11] ^ registers[REG_EFL]) & ~RESUME_FLAG) != 0 ||
	    ((uintptr_t)pc & 4095) > 4096 - SYSCALL_LENGTH || pc[0] != 0x0f ||
	    pc[1] != 0x05 || !is_restarted_at_will((uint64_t)registers[REG_RAX]))
		return;
	registers[REG_RAX] = -EINTR;
	registers[REG_RIP] += SYSCALL_LENGTH;
}
