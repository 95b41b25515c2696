/* SPDX-License-Identifier: Apache-2.0 */
/* The processor that the calling thread is on. */
#ifndef COLLECTOR_BASE_CPU_H
#define COLLECTOR_BASE_CPU_H

/* Call it once before a handler does: the first call looks libc's function up, which
 * takes the loader's lock. One function for all callers, so that one call is enough. */
int cpu_current(void);

#endif
