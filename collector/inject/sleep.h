/* SPDX-License-Identifier: Apache-2.0 */
/* Since when a thread of another process sleeps. */
#ifndef COLLECTOR_INJECT_SLEEP_H
#define COLLECTOR_INJECT_SLEEP_H

#include <stdint.h>
#include <sys/types.h>

/* Returns when the thread went to sleep, as a time of time_now_ns(), or 0 if it runs or
 * the kernel does not tell. To be asked before it is stopped. */
uint64_t sleep_began(pid_t process, pid_t thread);

#endif
