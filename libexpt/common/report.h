/* SPDX-License-Identifier: Apache-2.0 */
/* Filling a report; the functions that read it are in expt.h. */
#ifndef LIBEXPT_COMMON_REPORT_H
#define LIBEXPT_COMMON_REPORT_H

#include "libexpt/expt.h"

/* All accept a NULL report, and are safe to call from the worker threads of one
 * operation. */
void expt_report_add(struct expt_report *report, enum expt_outcome outcome,
		     const char *name, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void expt_report_count_file(struct expt_report *report, uint64_t bytes);

#endif
