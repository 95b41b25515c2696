/* SPDX-License-Identifier: Apache-2.0 */
/* The data flow over the code of one function. */
#ifndef LIBEXPT_ACCESSES_FLOW_H
#define LIBEXPT_ACCESSES_FLOW_H

#include "libexpt/accesses/state.h"

/* Called for each step that some way reaches, with the state before it. */
typedef void flow_visitor(void *context, size_t step, const struct state *state);

/* Follow all ways through the function. false: out of memory, or it takes too long. */
bool flow_run(const struct function *function, flow_visitor *visit, void *context);

#endif
