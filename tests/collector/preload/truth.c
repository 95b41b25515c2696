/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the unwinder with the truth, inside any program: with the trap flag set,
 * SIGTRAP comes after each instruction. Its handler looks at the instruction before and
 * keeps a shadow stack of the calls made. A call is over once the stack pointer is above
 * its return address, however it ended. At every single step the handler asks the
 * unwinder and compares.
 *
 * TRUTH_OUT     file for the result, written when the program ends or STEPS are done
 * TRUTH_STEPS   total number of steps
 * TRUTH_PERIOD  microseconds of CPU time between windows; unset: one window at the start
 * TRUTH_WINDOW  steps in a window
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "collector/unwind/unwind.h"
#include "tests/collector/preload/dlopen.h"
#include "truth.h"

#define TRAP_FLAG 0x100
#define DEPTH	  2048
#define REPORTED  40

/* A value that must be found on the stack, and where the call keeps its return address.
 */
struct expected {
	uint64_t pc, slot, return_address;
};

static struct expected shadow[DEPTH];
static size_t depth;
static uint64_t previous_pc, previous_sp;
static long steps, steps_wanted, window, window_left;
static long equal, wrong, failed, truncated, rewritten;
static bool is_done;

static struct report {
	uint64_t pc, found, expected;
	size_t frame;
	enum unwind_end end;
} reports[REPORTED];
static size_t report_count;

/* ---- the shadow stack ---- */

static bool is_call(const unsigned char *code)
{
	while ((*code & 0xf0) == 0x40 || *code == 0x66 || *code == 0x67 ||
	       *code == 0xf2 || *code == 0x3e)
		code++;
	return *code == 0xe8 || (*code == 0xff && (code[1] >> 3 & 7) == 2);
}

static void push(uint64_t pc, uint64_t slot)
{
	if (depth < DEPTH)
		shadow[depth++] = (struct expected){ pc, slot, *(uint64_t *)slot };
}

static void follow(const ucontext_t *context)
{
	uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];

	while (depth && shadow[depth - 1].slot < sp)
		depth--;
	if (previous_pc && sp == previous_sp - 8 && is_call((unsigned char *)previous_pc))
		push(previous_pc, sp);
	previous_pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	previous_sp = sp;
}

/* The kernel pushed this frame; the handler returns to the code interrupted below it. */
__attribute__((visibility("default"))) void truth_enter_handler(void *argument)
{
	const ucontext_t *context = argument;
	const uint64_t *frame = argument;

	if (is_done)
		return;
	follow(context);
	push((uint64_t)context->uc_mcontext.gregs[REG_RIP],
	     (uint64_t)context->uc_mcontext.gregs[REG_RSP] - 8);
	push(frame[-1], (uint64_t)frame - 8);
	/* The caller of this function is not known: steps before its return would miss
	 * it. */
	previous_pc = 0;
	push((uint64_t)__builtin_return_address(0) - 5,
	     (uint64_t)__builtin_frame_address(0) + 8);
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}

/* ---- comparing ---- */

static void report(const uint64_t *pcs, size_t count, size_t frame, enum unwind_end end)
{
	if (report_count == REPORTED)
		return;
	reports[report_count++] = (struct report){
		.pc = pcs[0],
		.frame = frame,
		.found = frame < count ? pcs[frame] : 0,
		.expected = frame && frame <= depth ? shadow[depth - frame].pc : 0,
		.end = end,
	};
}

/* libgcc throws exceptions by writing other return addresses into its own frames. The
 * stack then no longer shows where these calls came from. */
static bool is_rewritten(const struct expected *expected)
{
	return *(uint64_t *)expected->slot != expected->return_address;
}

static void compare(const ucontext_t *context)
{
	static uint64_t pcs[DEPTH];
	const struct unwind_bounds unknown = { 0 };
	enum unwind_end end;
	size_t count = unwind_stack(pcs, DEPTH, context, &unknown, &end);
	size_t frame;

	for (frame = 0; frame < count && frame <= depth; frame++) {
		if (pcs[frame] == (frame ? shadow[depth - frame].pc : previous_pc))
			continue;
		if (frame && is_rewritten(&shadow[depth - frame])) {
			rewritten++;
			return;
		}
		wrong++;
		report(pcs, count, frame, end);
		return;
	}
	if (end == UNWIND_WHOLE && count > depth) {
		equal++;
	} else {
		if (end == UNWIND_TRUNCATED)
			truncated++;
		else if (end == UNWIND_FAILED)
			failed++;
		else
			wrong++; /* the root was found too early */
		report(pcs, count, count, end);
	}
}

static void on_step(int signal, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;

	follow(context);
	compare(context);
	steps++;
	if (steps < steps_wanted && !is_done && --window_left)
		return;
	context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void on_window(int signal, siginfo_t *info, void *argument)
{
	ucontext_t *context = argument;

	if (is_done || steps >= steps_wanted ||
	    context->uc_mcontext.gregs[REG_EFL] & TRAP_FLAG)
		return;
	depth = 0;
	previous_pc = 0;
	window_left = window;
	context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void on_fault(int signal, siginfo_t *info, void *argument)
{
	if (unwind_fault(argument, (uintptr_t)info->si_addr))
		return;
	_exit(99);
}

/* ---- life ---- */

static void write_address(FILE *out, const char *name, uint64_t address)
{
	Dl_info info;

	if (address && dladdr((void *)address, &info) && info.dli_fname)
		fprintf(out, " %s %s+0x%lx(%s)", name, strrchr(info.dli_fname, '/') ?: "",
			address - (uint64_t)info.dli_fbase, info.dli_sname ?: "");
	else
		fprintf(out, " %s 0x%lx", name, address);
}

static void write_result(void)
{
	const char *path = getenv("TRUTH_OUT");
	FILE *out;

	is_done = true;
	out = path ? fopen(path, "w") : NULL;
	if (!out)
		return;
	fprintf(out,
		"steps %ld equal %ld wrong %ld failed %ld truncated %ld rewritten %ld\n",
		steps, equal, wrong, failed, truncated, rewritten);
	for (size_t i = 0; i < report_count; i++) {
		fprintf(out, "end %d frame %zu", reports[i].end, reports[i].frame);
		write_address(out, "at", reports[i].pc);
		write_address(out, "found", reports[i].found);
		write_address(out, "expected", reports[i].expected);
		fprintf(out, "\n");
	}
	fclose(out);
}

static long number_from(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text ? atol(text) : otherwise;
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | SA_RESTART };

	/* A window must not begin in the middle of a step. */
	sigaddset(&action.sa_mask, SIGPROF);
	sigaction(signal, &action, NULL);
}

__attribute__((constructor)) static void start(void)
{
	long period = number_from("TRUTH_PERIOD", 0);

	if (!getenv("TRUTH_OUT") || !unwind_init())
		return;
	unsetenv("LD_PRELOAD"); /* do not follow children */
	steps_wanted = number_from("TRUTH_STEPS", 100000);
	window = number_from("TRUTH_WINDOW", -1);
	handle(SIGSEGV, on_fault);
	handle(SIGBUS, on_fault);
	handle(SIGTRAP, on_step);
	if (period) {
		struct itimerval timer = { { 0, period }, { 0, period } };

		handle(SIGPROF, on_window);
		setitimer(ITIMER_PROF, &timer, NULL);
		return;
	}
	window_left = -1;
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}

__attribute__((destructor)) static void finish(void)
{
	struct itimerval none = { { 0, 0 }, { 0, 0 } };

	if (!getenv("TRUTH_OUT"))
		return;
	__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
	setitimer(ITIMER_PROF, &none, NULL);
	write_result();
}
