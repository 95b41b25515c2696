/* SPDX-License-Identifier: Apache-2.0 */
/* The description of clock data in log.xml. */
#ifndef COLLECTOR_COMMON_CLOCK_TEXT_H
#define COLLECTOR_COMMON_CLOCK_TEXT_H

#include "collector/base/text.h"

void clock_describe(struct text *text);
/* The same with another <profile numstates=>. */
void clock_describe_states(struct text *text, unsigned states);

#endif
