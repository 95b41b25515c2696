/* SPDX-License-Identifier: Apache-2.0 */
/* Time in OpenMP: clock samples by the state of the thread in OpenMP. */
#ifndef LIBEXPT_KINDS_OMP_H
#define LIBEXPT_KINDS_OMP_H

#include "libexpt/events/kind.h"

extern const struct data_kind omp_kind;

#endif
