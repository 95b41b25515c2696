/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_GUEST_SANDBOX_H
#define COLLECTOR_GUEST_SANDBOX_H

/* Before a system call with these arguments, the first and the third: one may enter a
 * sandbox. */
void sandbox_system_call(long number, long first, long third);

#endif
