/* SPDX-License-Identifier: Apache-2.0 */
/* The description of clock data in log.xml. */
#ifndef COLLECTOR_CLOCK_DESCRIBE_H
#define COLLECTOR_CLOCK_DESCRIBE_H

#include "collector/base/text.h"

void clock_describe(struct text *text);

#endif
