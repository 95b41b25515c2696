/* SPDX-License-Identifier: Apache-2.0 */
/* The program as a load object of an experiment, which is made for that. */
#ifndef STEP_OBJECT_H
#define STEP_OBJECT_H

#include "libexpt/objects/object.h"
#include "tests/libexpt/accesses/step/tracee.h"

/* Make the experiment "step.1.er" in the current directory, and open it. */
struct expt *object_experiment(const char *program, const struct tracee *tracee);
struct expt_object *object_find(struct expt *expt, const struct tracee *tracee);

#endif
