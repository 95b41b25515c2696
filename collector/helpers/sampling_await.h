/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_HELPERS_SAMPLING_AWAIT_H
#define COLLECTOR_HELPERS_SAMPLING_AWAIT_H

/* Call at the end of the founder: wait a while for the experiments of sampled processes
 * that have ended. */
void sampling_await(void);

#endif
