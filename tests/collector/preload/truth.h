/* SPDX-License-Identifier: Apache-2.0 */
/* What a program made for truth.so may tell it; all of it is absent without the preload.
 */
#ifndef TESTS_COLLECTOR_PRELOAD_TRUTH_H
#define TESTS_COLLECTOR_PRELOAD_TRUTH_H

/* At the start of a signal handler, with its third argument: the kernel does not
 * single-step handlers by itself, and nobody saw how the handler was called. */
__attribute__((weak)) void truth_enter_handler(void *context);

#endif
