/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_DESCENDANTS_CLONE_H
#define COLLECTOR_DESCENDANTS_CLONE_H

/* Returns the function for a system call that makes a child, with the arguments of
 * syscall(). NULL: it is another call, or one whose child does not come back. */
void *descendants_system_call(long number, long first, long second);

#endif
