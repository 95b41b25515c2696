/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of each experiment, and the part of it in which samples were taken. */
#ifndef ER_PRINT_CPU_TIME_H
#define ER_PRINT_CPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "er_print/session.h"

struct cpu_time {
	int64_t total_ns, sampled_ns;
};

/* Check whether the experiment counts time in smaller units than its samples have. */
bool has_cpu_time(const struct expt *expt);
/* Check whether any experiment does. */
bool session_has_cpu_times(const struct session *session);
/* Returns the times of each member of the session, to be freed; NULL: out of memory,
 * which has been reported. */
struct cpu_time *session_cpu_times(struct session *session);
/* Returns the share in percent. */
double cpu_time_sampled_share(const struct cpu_time *time);

#endif
