/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of each experiment, and the part of it in which samples were taken. */
#ifndef ER_PRINT_EXPERIMENTS_CPU_TIME_H
#define ER_PRINT_EXPERIMENTS_CPU_TIME_H

#include "er_print/session/session.h"

/* Check whether any experiment counts time in smaller units than its samples have. */
bool has_cpu_times(const struct session *session);
/* Returns the times of each experiment, to be freed; NULL if they cannot be found, which
 * has been reported. */
struct expt_cpu_time *find_cpu_times(struct session *session);
/* Returns the part with samples, in percent. */
double sampled_share(const struct expt_cpu_time *time);

#endif
