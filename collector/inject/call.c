/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function returns to a byte of the program's code that is a breakpoint instruction
 * if it is executed: some instruction has such a byte in its middle. Where none is found,
 * it returns to address 0, where no memory is, and the SIGSEGV is kept from the thread;
 * that signal is forced, so a program that ignores it would not ignore it afterwards. On
 * a thread with a shadow stack the return instruction itself raises it, as no call has
 * been made that it could return from; then all has been done as well, and the shadow
 * stack is as it was.
 *
 * A system call that was interrupted by the stop is restarted by the kernel when the
 * thread goes on with the registers that it had: they hold the call's number, and an
 * error that programs never see. Some calls fail with EINTR instead, which a program need
 * not expect if it has no signals, so they are restarted here. During the calls there is
 * no number, so that nothing is restarted then. The kernel keeps the time that is left of
 * a sleep until the thread sleeps again, and is interrupted, which cannot be here as its
 * signals are blocked.
 */
#include "collector/inject/call.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "collector/inject/interrupts.h"
#include "collector/inject/maps.h"
#include "collector/tracee/registers.h"
#include "collector/tracee/status.h"
#include "collector/tracee/thread.h"
#include "libexpt/base/time.h"
#include "libexpt/cli/cli.h"

#define RED_ZONE	   128
#define STACK_ALIGNMENT	   16
#define DIRECTION_FLAG	   0x400UL
#define WARNING_TIME	   (3000 * MS) /* after which the user is told who waits */
#define SYSCALL_SIZE	   2	       /* of the instruction */
#define BREAKPOINT	   0xcc	       /* the instruction, one byte */
#define CODE_PAGE_SIZE	   4096
#define RSEQ_SECTION	   8	 /* offset of rseq_cs in struct rseq */
#define SHADOW_STACK_FAULT 10	 /* SEGV_CPERR */
#define TRAP_OF_EVENT	   6	 /* TRAP_PERF */
#define SIGNAL_SETXID	   33	 /* of glibc and musl, not in a header */
#define SIGNALS_MAX	   10000 /* in a call that returns */

enum timeout { NO_TIMEOUT, MILLISECONDS, TIMESPEC }; /* as an argument */

/* Calls that the kernel does not restart when a thread was stopped. Those of sockets have
 * a timeout that is not an argument, if any. */
static const struct left_call {
	unsigned short number;
	enum timeout timeout;
	size_t argument; /* as an offset in the registers */
} left_calls[] = {
	{ SYS_epoll_wait, MILLISECONDS, offsetof(struct user_regs_struct, r10) },
	{ SYS_epoll_pwait, MILLISECONDS, offsetof(struct user_regs_struct, r10) },
	{ SYS_epoll_pwait2, TIMESPEC, offsetof(struct user_regs_struct, r10) },
	{ SYS_rt_sigtimedwait, TIMESPEC, offsetof(struct user_regs_struct, rdx) },
	{ SYS_semtimedop, TIMESPEC, offsetof(struct user_regs_struct, r10) },
	{ SYS_io_getevents, TIMESPEC, offsetof(struct user_regs_struct, r8) },
	{ .number = SYS_io_uring_enter },
	{ .number = SYS_semop },
	{ .number = SYS_read },
	{ .number = SYS_readv },
	{ .number = SYS_write },
	{ .number = SYS_writev },
	{ .number = SYS_recvfrom },
	{ .number = SYS_recvmsg },
	{ .number = SYS_sendto },
	{ .number = SYS_sendmsg },
	{ .number = SYS_accept },
	{ .number = SYS_accept4 },
	{ .number = SYS_connect },
	{ .number = SYS_recvmmsg },
	{ .number = SYS_sendmmsg },
	{ .number = SYS_sendfile },
	{ .number = SYS_splice },
};

static const struct left_call *find_left_call(uint64_t number)
{
	for (size_t i = 0; i < sizeof(left_calls) / sizeof(*left_calls); i++)
		if (left_calls[i].number == number)
			return &left_calls[i];
	return NULL;
}

static uint64_t *argument_of(struct call *call, const struct left_call *left)
{
	return (uint64_t *)(void *)((char *)&call->registers + left->argument);
}

/* Keep the time limit of a call in memory: it may be where the calls write. */
static void keep_limit(struct call *call)
{
	const struct left_call *left = find_left_call(call->registers.orig_rax);

	if (left && left->timeout == TIMESPEC && *argument_of(call, left))
		call->has_limit = memory_read(call->memory, *argument_of(call, left),
					      &call->limit, sizeof(call->limit));
}

static int registers_of_state(struct call *call, enum __ptrace_request request)
{
	struct iovec part = { call->state, request == PTRACE_GETREGSET
						   ? sizeof(call->state)
						   : call->state_size };

	if (ptrace(request, call->thread, NT_X86_XSTATE, &part) < 0)
		return -errno;
	call->state_size = part.iov_len;
	return 0;
}

static bool is_fault(int signal)
{
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL ||
	       signal == SIGFPE || signal == SIGSYS;
}

static uint64_t bit_of(int signal)
{
	return UINT64_C(1) << (signal - 1);
}

/* Faults, and traps of the library, would kill if they were blocked. A thread that calls
 * setuid(2) or its kin holds locks of libc until all have taken its signal. */
static uint64_t all_but_faults(void)
{
	uint64_t mask = 0;

	for (int signal = 1; signal < NSIG; signal++)
		if (!is_fault(signal) && signal != SIGTRAP && signal != SIGNAL_SETXID)
			mask |= bit_of(signal);
	return mask;
}

/* A thread may be in the middle of a sequence that the kernel restarts when it has been
 * interrupted. The kernel forgets this if it finds the thread elsewhere, as during the
 * calls. */
static void hide_rseq(struct call *call)
{
	struct __ptrace_rseq_configuration configuration;
	uint64_t none = 0;

	if (ptrace(PTRACE_GET_RSEQ_CONFIGURATION, call->thread, sizeof(configuration),
		   &configuration) < 0 ||
	    configuration.rseq_abi_pointer == 0)
		return;
	call->rseq = configuration.rseq_abi_pointer + RSEQ_SECTION;
	if (!memory_read(call->memory, call->rseq, &call->rseq_section,
			 sizeof(call->rseq_section)) ||
	    call->rseq_section == 0 ||
	    !memory_write(call->memory, call->rseq, &none, sizeof(none)))
		call->rseq = 0;
}

/* Returns those that the thread does not block. */
static uint64_t pending_signals(const struct call *call)
{
	struct process_status status;

	return process_status_read(&status, call->thread) == 0
		       ? status.pending & ~call->mask
		       : 0;
}

bool call_has_new_signal(const struct call *call)
{
	return (pending_signals(call) & ~call->pending) != 0;
}

static bool ignores(pid_t thread, int signal)
{
	struct process_status status;

	return process_status_read(&status, thread) == 0 &&
	       (status.ignored & bit_of(signal)) != 0;
}

int call_begin(struct call *call, pid_t thread, int memory, uint64_t asleep_since)
{
	int rc;

	*call = (struct call){ .thread = thread,
			       .memory = memory,
			       .asleep_since = asleep_since };
	rc = thread_registers(thread, &call->registers);
	if (rc == 0)
		rc = registers_of_state(call, PTRACE_GETREGSET);
	if (rc == 0)
		rc = thread_mask(thread, &call->mask);
	if (rc < 0)
		return rc;
	call->pending = pending_signals(call);
	rc = thread_set_mask(thread, all_but_faults());
	if (rc < 0)
		return rc;
	call->top = call->registers.rsp - RED_ZONE;
	call->may_trap = !ignores(thread, SIGTRAP);
	keep_limit(call);
	hide_rseq(call);
	return 0;
}

uint64_t call_push(struct call *call, const void *bytes, size_t size)
{
	uint64_t address = call->top - size;

	if (!memory_write(call->memory, address, bytes, size))
		return 0;
	call->top = address;
	return address;
}

/* Returns the address of a breakpoint instruction in the page of the code, or 0. */
static uint64_t find_trap(const struct call *call, uint64_t code)
{
	unsigned char page[CODE_PAGE_SIZE];
	uint64_t start = code & ~(uint64_t)(CODE_PAGE_SIZE - 1);
	const unsigned char *found;

	if (!call->may_trap || !memory_read(call->memory, start, page, sizeof(page)))
		return 0;
	found = memchr(page, BREAKPOINT, sizeof(page));
	return found ? start + (uint64_t)(found - page) : 0;
}

/* Whether the function has returned to the address; slot is where that is on the stack. A
 * breakpoint instruction has been executed when it traps. */
static bool has_returned(const struct call *call, uint64_t slot, uint64_t to,
			 struct user_regs_struct *registers)
{
	siginfo_t info = {};

	if (thread_registers(call->thread, registers) < 0)
		return false;
	if (registers->rip == (to ? to + 1 : 0) && registers->rsp == slot + sizeof(slot))
		return true;
	ptrace(PTRACE_GETSIGINFO, call->thread, NULL, &info);
	return info.si_code == SHADOW_STACK_FAULT && registers->rsp == slot;
}

/* Wait for a signal. A call should not be left in its middle, so that needs an interrupt
 * after a warning. */
static int await_signal(const struct call *call, int *signal)
{
	int rc = thread_await_signal(call->thread, signal, WARNING_TIME);

	if (rc == -ETIMEDOUT)
		cli_warn("thread %d waits for another one that opens a library",
			 (int)call->thread);
	while (rc == -ETIMEDOUT) {
		if (interrupts_are_there())
			return thread_interrupt(call->thread);
		rc = thread_await_signal(call->thread, signal, WARNING_TIME / 10);
	}
	return rc;
}

/* The collector catches SIGBUS, which a store into a file raises when the disk is full.
 * Its second one at the same place would not be the last. */
static bool is_caught(struct call *call, int signal, uint64_t pc)
{
	struct process_status status;
	bool is_again = call->has_caught && call->fault_pc == pc;

	call->has_caught = true;
	call->fault_pc = pc;
	return signal == SIGBUS && !is_again &&
	       process_status_read(&status, call->thread) == 0 &&
	       (status.caught & bit_of(signal)) != 0;
}

/* Judge a signal: it may stay in *signal to be delivered, or is kept for later. Those
 * that the call does not raise come if they were sent, or if the library itself has
 * unblocked them. SIGSTOP is delivered, so that a SIGCONT after it counts: the others
 * stop, and this one when it is let go. That of an event of the clock is dropped: it is
 * about the call itself, and after its handler the kernel would not continue a sleep. */
static int judge(struct call *call, int *signal)
{
	siginfo_t info = {};

	ptrace(PTRACE_GETSIGINFO, call->thread, NULL, &info);
	if (is_fault(*signal) && info.si_code <= 0) {
		call->kept |= bit_of(*signal);
		*signal = 0;
	} else if (is_fault(*signal)) {
		struct user_regs_struct registers = {};

		thread_registers(call->thread, &registers);
		return is_caught(call, *signal, registers.rip) ? 0 : -EFAULT;
	} else if (*signal == SIGTRAP && info.si_code == TRAP_OF_EVENT) {
		*signal = 0;
	}
	return 0;
}

/* Let the thread run until it has returned. */
static int run(struct call *call, uint64_t slot, uint64_t to, uint64_t *result)
{
	struct user_regs_struct registers;
	int signal = 0, rc = 0;

	call->has_caught = false;
	for (int signals = 0; signals < SIGNALS_MAX; signals++) {
		rc = thread_continue(call->thread, signal);
		if (rc == 0)
			rc = await_signal(call, &signal);
		if (rc == 0 && (signal == SIGTRAP || signal == SIGSEGV) &&
		    has_returned(call, slot, to, &registers)) {
			*result = registers.rax;
			return 0;
		}
		if (rc == 0)
			rc = judge(call, &signal);
		if (rc < 0)
			return rc;
	}
	return -EFAULT;
}

int call_function(struct call *call, uint64_t function, uint64_t first, uint64_t second,
		  uint64_t *result)
{
	struct user_regs_struct registers = call->registers;
	uint64_t top = call->top & ~(uint64_t)(STACK_ALIGNMENT - 1);
	uint64_t to = find_trap(call, function);
	int rc;

	if (to == 0)
		to = find_trap(call, call->registers.rip);
	registers.rsp = top - sizeof(to);
	registers.rip = function;
	registers.rdi = first;
	registers.rsi = second;
	registers.rax = 0;
	registers.orig_rax = ~UINT64_C(0);
	registers.eflags &= ~DIRECTION_FLAG;
	if (!memory_write(call->memory, registers.rsp, &to, sizeof(to)))
		return -EFAULT;
	rc = thread_set_registers(call->thread, &registers);
	return rc == 0 ? run(call, registers.rsp, to, result) : rc;
}

static void shorten_milliseconds(uint64_t *argument, uint64_t passed_ns)
{
	int64_t left = (int)*argument - (int64_t)(passed_ns / MS);

	if ((int)*argument > 0)
		*argument = left > 0 ? (uint64_t)left : 0;
}

/* The shorter time does not lie on the stack: a handler may run before the call begins
 * again. The kernel reads it then. */
static void shorten_timespec(struct call *call, uint64_t *argument, uint64_t passed_ns)
{
	uint64_t ns = timespec_ns(&call->limit);

	ns = ns > passed_ns ? ns - passed_ns : 0;
	call->limit.tv_sec = (time_t)(ns / NS_PER_SECOND);
	call->limit.tv_nsec = (long)(ns % NS_PER_SECOND);
	if (call->spare &&
	    memory_write(call->memory, call->spare, &call->limit, sizeof(call->limit)))
		*argument = call->spare;
}

static void shorten(struct call *call, const struct left_call *left)
{
	uint64_t passed = time_now_ns() - call->asleep_since;

	if (left->timeout == MILLISECONDS)
		shorten_milliseconds(argument_of(call, left), passed);
	else if (call->has_limit)
		shorten_timespec(call, argument_of(call, left), passed);
}

/* Those of the library, whose handlers restart calls: SIGNALS_EVENTS there. */
static uint64_t event_signals(void)
{
	return bit_of(SIGPROF) | bit_of(SIGTRAP) | bit_of(SIGWINCH);
}

/* Whether a signal would have ended the call: one that is still there, or that has come
 * meanwhile for a handler of the program. */
static bool is_ended(const struct call *call)
{
	struct process_status status;
	uint64_t open;

	if (process_status_read(&status, call->thread) < 0)
		return false;
	open = status.pending & ~call->mask;
	return (open & (call->pending | (status.caught & ~event_signals()))) != 0;
}

/* Restart the call as the kernel would if nothing had happened. */
static void restart(struct call *call)
{
	struct user_regs_struct *registers = &call->registers;
	const struct left_call *left = find_left_call(registers->orig_rax);

	if ((int64_t)registers->rax != -EINTR || !left || is_ended(call))
		return;
	shorten(call, left);
	registers->rax = registers->orig_rax;
	registers->orig_rax = ~UINT64_C(0);
	registers->rip -= SYSCALL_SIZE;
}

/* The thread gets the signals when it runs on. */
static void send_kept(const struct call *call)
{
	for (int signal = 1; signal < NSIG; signal++)
		if (call->kept & bit_of(signal))
			syscall(SYS_tkill, call->thread, signal);
}

int call_end(struct call *call)
{
	int rc, other;

	restart(call);
	rc = thread_set_registers(call->thread, &call->registers);
	other = registers_of_state(call, PTRACE_SETREGSET);
	rc = rc == 0 ? other : rc;
	other = thread_set_mask(call->thread, call->mask);
	rc = rc == 0 ? other : rc;
	if (call->rseq && !memory_write(call->memory, call->rseq, &call->rseq_section,
					sizeof(call->rseq_section)))
		rc = -EFAULT;
	send_kept(call);
	thread_detach(call->thread, 0);
	return rc;
}
