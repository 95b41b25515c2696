/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization tracing. */
#ifndef LIBEXPT_ANALYSIS_SYNC_H
#define LIBEXPT_ANALYSIS_SYNC_H

#include "libexpt/analysis/kinds.h"

extern const struct data_kind sync_kind;

#endif
