/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program enters a sandbox, where the collector must not make system calls. Recording
 * goes on into files that are mapped; everything else ends. If the filter would refuse
 * the return from a handler, the clock is stopped before.
 */

#include "collector/guest/sandbox.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/descendants/descendants.h"
#include "collector/experiment/experiment.h"
#include "collector/files/log.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "libexpt/format.h"

/* ---- does the filter allow a system call? A classic packet filter, run on one packet
 * ---- */

struct filter_state {
	struct seccomp_data data;
	uint32_t a, x, memory[BPF_MEMWORDS];
};

static uint32_t load(const struct filter_state *state, const struct sock_filter *step)
{
	uint32_t word = 0;

	switch (BPF_MODE(step->code)) {
	case BPF_IMM:
		return step->k;
	case BPF_MEM:
		return state->memory[step->k % BPF_MEMWORDS];
	case BPF_LEN:
		return sizeof(state->data);
	default:
		if (step->k <= sizeof(state->data) - sizeof(word))
			memcpy(&word, (const char *)&state->data + step->k, sizeof(word));
		return word;
	}
}

static uint32_t calculate(uint32_t a, uint32_t b, uint16_t code)
{
	switch (BPF_OP(code)) {
	case BPF_ADD:
		return a + b;
	case BPF_SUB:
		return a - b;
	case BPF_MUL:
		return a * b;
	case BPF_DIV:
		return b != 0 ? a / b : 0;
	case BPF_OR:
		return a | b;
	case BPF_AND:
		return a & b;
	case BPF_XOR:
		return a ^ b;
	case BPF_LSH:
		return b < 32 ? a << b : 0;
	case BPF_RSH:
		return b < 32 ? a >> b : 0;
	default:
		return -a;
	}
}

static uint32_t jump(const struct sock_filter *step, uint32_t a, uint32_t b)
{
	bool holds;

	switch (BPF_OP(step->code)) {
	case BPF_JA:
		return step->k;
	case BPF_JEQ:
		holds = a == b;
		break;
	case BPF_JGT:
		holds = a > b;
		break;
	case BPF_JGE:
		holds = a >= b;
		break;
	default:
		holds = (a & b) != 0;
		break;
	}
	return holds ? step->jt : step->jf;
}

static uint32_t run_filter(const struct sock_fprog *program, struct filter_state *state)
{
	for (uint32_t at = 0; at < program->len; at++) {
		const struct sock_filter *step = &program->filter[at];
		uint32_t b = BPF_SRC(step->code) == BPF_X ? state->x : step->k;

		switch (BPF_CLASS(step->code)) {
		case BPF_LD:
			state->a = load(state, step);
			break;
		case BPF_LDX:
			state->x = load(state, step);
			break;
		case BPF_ST:
			state->memory[step->k % BPF_MEMWORDS] = state->a;
			break;
		case BPF_STX:
			state->memory[step->k % BPF_MEMWORDS] = state->x;
			break;
		case BPF_ALU:
			state->a = calculate(state->a, b, step->code);
			break;
		case BPF_JMP:
			at += jump(step, state->a, b);
			break;
		case BPF_RET:
			return BPF_RVAL(step->code) == BPF_A ? state->a : step->k;
		default: /* BPF_MISC */
			if (BPF_MISCOP(step->code) == BPF_TAX)
				state->x = state->a;
			else
				state->a = state->x;
		}
	}
	return SECCOMP_RET_KILL_PROCESS;
}

static bool allows_with(const struct sock_fprog *program, int number, uint64_t argument)
{
	struct filter_state state = {
		.data = { .nr = number, .arch = AUDIT_ARCH_X86_64, .args = { argument } }
	};
	uint32_t action = run_filter(program, &state) & SECCOMP_RET_ACTION_FULL;

	return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG;
}

static bool allows(const struct sock_fprog *program, int number)
{
	return allows_with(program, number, 0);
}

/* Does the filter allow the calls that stop the sources? */
static bool allows_silence(const struct sock_fprog *program)
{
	return allows(program, SYS_timer_delete) && allows(program, SYS_munmap) &&
	       allows(program, SYS_sched_yield);
}

static bool allows_another(const struct sock_fprog *program)
{
	return allows_with(program, SYS_prctl, PR_SET_SECCOMP) ||
	       allows_with(program, SYS_seccomp, SECCOMP_SET_MODE_FILTER);
}

/* ---- entering ---- */

/* This filter may allow handlers to return, but not to stop the sources when the next
 * filter forbids the return: stop them now if another filter can follow. */
static void end_signals_in_time(const struct sock_fprog *program)
{
	static bool is_silent, is_late;

	if (!program || is_silent || is_late)
		return; /* strict mode: handlers may return, no filter can follow */
	is_late = !allows_silence(program);
	if (allows(program, SYS_rt_sigreturn) && !(is_late && allows_another(program)))
		return;
	sources_silence();
	is_silent = true;
}

/* The clock's signals arrive even if recording has stopped, or its files could not be
 * made. */
static bool is_concerned(void)
{
	int state = atomic_load(&process.state);

	return state != COLLECTOR_OFF && state != COLLECTOR_ENDED;
}

static void enter(const struct sock_fprog *program)
{
	uint64_t mask;

	if (descendants_place() != PLACE_OWN || !is_concerned())
		return;
	mask = collector_enter();
	end_signals_in_time(program);
	if (collector_is_recording()) {
		log_message("comment", EXPT_COMMENT,
			    "the program enters a sandbox: files can no longer grow or "
			    "be archived",
			    0);
		experiment_reserve();
	}
	if (!program)
		collector_use_coarse_clock();
	collector_leave(mask);
	collector_freeze();
}

INTERPOSE(int, prctl_2_2_5, "prctl@@GLIBC_2.2.5", (int option, ...))
{
	REAL(prctl, "GLIBC_2.2.5", int, (int, ...));
	unsigned long values[4];
	va_list list;

	va_start(list, option);
	for (int i = 0; i < 4; i++)
		values[i] = va_arg(list, unsigned long);
	va_end(list);
	if (option == PR_SET_SECCOMP)
		enter(values[0] == SECCOMP_MODE_FILTER ? (const void *)values[1] : NULL);
	return real(option, values[0], values[1], values[2], values[3]);
}

void sandbox_system_call(long number, long first, long third)
{
	if (number == SYS_seccomp && first == SECCOMP_SET_MODE_STRICT)
		enter(NULL);
	else if (number == SYS_seccomp && first == SECCOMP_SET_MODE_FILTER && third != 0)
		enter((const void *)third);
}
