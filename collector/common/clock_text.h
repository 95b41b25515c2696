/* SPDX-License-Identifier: Apache-2.0 */
/* What log.xml says of clock data. */
#ifndef COLLECTOR_CLOCK_DESCRIBE_H
#define COLLECTOR_CLOCK_DESCRIBE_H

#include "collector/base/text.h"

void clock_describe(struct text *text);

#endif
