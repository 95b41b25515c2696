/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_COUNTERS_DEBUG_REGISTERS_H
#define COLLECTOR_COUNTERS_DEBUG_REGISTERS_H

#include <stdbool.h>

/* Returns true if the processor's debug registers can be set, but stop no program: some
 * virtual machines are so. Tried once, in a child, and false if that is not possible. */
bool debug_registers_are_dead(void);

#endif
