/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that end with EINTR after any handler, SA_RESTART or not. */
#ifndef COLLECTOR_RESTART_H
#define COLLECTOR_RESTART_H

#include <asm/perf_regs.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* After a signal that is ours: let the program make the call again that has ended for us
 * only. is_by_us: our signal came during it; otherwise it may also have ended for
 * another, whose handler has run. What was slept already counts where the kernel says how
 * much it was. A call that is to end for a signal that waits behind ours does end. */
void restart_interrupted_call(ucontext_t *context, bool is_by_us);
/* The kernel makes a call again, as our handler has SA_RESTART, but that of the program
 * that is called now has not: let the call end with EINTR. */
void restart_refuse(ucontext_t *context);

/* Calls whose number cannot be told (unwind/interrupted.h) end with EINTR for our
 * signals. The log says how many did; the child of a fork begins at 0. */
void restart_report(void);
void restart_forget(void);

/* The registers by which an event tells the call during which it came
 * (PERF_SAMPLE_REGS_USER), and what they tell: where the call returns to; 0: the thread
 * was in none. */
#define RESTART_REGISTERS      (1 << PERF_REG_X86_AX | 1 << PERF_REG_X86_IP)
#define RESTART_REGISTER_COUNT 2
uint64_t restart_call_of(const uint64_t registers[RESTART_REGISTER_COUNT]);
/* Has the interrupted thread just returned from that call? */
bool restart_is_in(const ucontext_t *context, uint64_t call);

#endif
