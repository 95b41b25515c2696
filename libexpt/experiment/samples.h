/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the overview file from memory; called by fuzzing, too. */
#ifndef LIBEXPT_EXPERIMENT_SAMPLES_H
#define LIBEXPT_EXPERIMENT_SAMPLES_H

#include "libexpt/experiment/handle.h"

struct sample_table *sample_table_new(void); /* empty; NULL if out of memory */
/* Fill expt->samples, which must be new, from the bytes of an overview file. */
void overview_parse(struct expt *expt, const void *bytes, size_t size);

#endif
