/* SPDX-License-Identifier: Apache-2.0 */
/* All kinds of data that have metrics. */
#ifndef LIBEXPT_KINDS_KINDS_H
#define LIBEXPT_KINDS_KINDS_H

#include "libexpt/events/kind.h"

extern const struct data_kind *const data_kinds[KIND_COUNT];

#endif
