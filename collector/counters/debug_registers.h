/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_COUNTERS_DEBUG_REGISTERS_H
#define COLLECTOR_COUNTERS_DEBUG_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns true if the processor's debug registers can be set, but stop no program: some
 * virtual machines are so. Tried once, in a child, and false if that is not possible. */
bool debug_registers_are_dead(void);

/* Let a thread that the caller traces raise SIGTRAP when it is about to execute the
 * instruction at the address. Returns 0 or a negative errno, -EINVAL: there is no code at
 * such an address. */
int debug_registers_set(pid_t thread, uint64_t address);
void debug_registers_clear(pid_t thread);

#endif
