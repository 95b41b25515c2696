/* SPDX-License-Identifier: Apache-2.0 */
/* How operations fill a report; reading it is in expt.h. */
#ifndef LIBEXPT_COMMON_REPORT_H
#define LIBEXPT_COMMON_REPORT_H

#include "libexpt/expt.h"

/* All take a NULL report. Safe to call from the worker threads of one operation. */
void expt_report_add(struct expt_report *report, enum expt_outcome outcome,
		     const char *name, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void expt_report_count_file(struct expt_report *report, uint64_t bytes);

#endif
