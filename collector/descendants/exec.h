/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_DESCENDANTS_EXEC_H
#define COLLECTOR_DESCENDANTS_EXEC_H

/* Returns the function for a system call that executes a program, with the arguments of
 * syscall(). NULL: it is another call. */
void *exec_system_call(long number);

#endif
