/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_GUEST_SANDBOX_H
#define COLLECTOR_GUEST_SANDBOX_H

/* Call before a system call with this first and third argument, which may enter a
 * sandbox. */
void sandbox_system_call(long number, long first, long third);

#endif
