/* SPDX-License-Identifier: Apache-2.0 */
/* Calls from a program made for truth.so. The functions are absent without the preload.
 */
#ifndef TESTS_COLLECTOR_PRELOAD_TRUTH_H
#define TESTS_COLLECTOR_PRELOAD_TRUTH_H

/* Call at the start of a signal handler, with its third argument: the kernel does not
 * single-step into handlers, so truth.so has not seen how the handler was called. */
__attribute__((weak)) void truth_enter_handler(void *context);

#endif
