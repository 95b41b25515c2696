/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_COMMON_COUNTER_TEXT_H
#define COLLECTOR_COMMON_COUNTER_TEXT_H

#include "collector/base/text.h"

/* Describe the counters of the settings in log.xml, and their packets. */
void counters_describe(struct text *text);

#endif
