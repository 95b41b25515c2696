/* SPDX-License-Identifier: Apache-2.0 */
/* The overview file from memory; what fuzzing calls. */
#ifndef LIBEXPT_EXPERIMENT_SAMPLES_H
#define LIBEXPT_EXPERIMENT_SAMPLES_H

#include "libexpt/experiment/handle.h"

struct sample_table *sample_table_new(void); /* empty; or NULL */
/* Fill expt->samples, which must be new, from the bytes of an overview file. */
void overview_parse(struct expt *expt, const void *bytes, size_t size);

#endif
