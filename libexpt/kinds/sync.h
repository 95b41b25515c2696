/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization tracing. */
#ifndef LIBEXPT_KINDS_SYNC_H
#define LIBEXPT_KINDS_SYNC_H

#include "libexpt/events/kind.h"

extern const struct data_kind sync_kind;

#endif
