/* SPDX-License-Identifier: Apache-2.0 */
/* Part of the header: start, descendants, pauses, end. */
#ifndef ER_PRINT_EXPERIMENTS_COURSE_H
#define ER_PRINT_EXPERIMENTS_COURSE_H

#include <stdio.h>

#include "libexpt/expt.h"

void course_print(FILE *out, struct expt *expt);
/* Print the date of the start, in local time. */
void course_print_start(FILE *out, const struct expt *expt);
/* Returns the time of the end since the start, of a killed process that of its last
 * packet or sample. */
uint64_t course_end_ns(struct expt *expt);

#endif
