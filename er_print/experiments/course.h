/* SPDX-License-Identifier: Apache-2.0 */
/* Part of the header: start, descendants, pauses, end. */
#ifndef ER_PRINT_EXPERIMENTS_COURSE_H
#define ER_PRINT_EXPERIMENTS_COURSE_H

#include <stdio.h>

#include "libexpt/expt.h"

void print_course(FILE *out, struct expt *expt);

#endif
