/* SPDX-License-Identifier: Apache-2.0 */
/* SIGINT and SIGQUIT, which the process ignores while a command of system() runs. */
#ifndef COLLECTOR_DESCENDANTS_INTERRUPTS_H
#define COLLECTOR_DESCENDANTS_INTERRUPTS_H

#include <signal.h>
#include <spawn.h>

/* Ignore both, and block SIGCHLD in this thread; *mask is the signal mask before. The
 * attributes are initialised, and give the command the signals of the program. */
void interrupts_ignore(sigset_t *mask, posix_spawnattr_t *attributes);
/* End that, with the mask from interrupts_ignore(). */
void interrupts_heed(const sigset_t *mask);
/* Call in the child of a fork, where no other thread is in system(). */
void interrupts_reset(void);

#endif
