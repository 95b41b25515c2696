/* SPDX-License-Identifier: Apache-2.0 */
/* Names of index objects. */
#ifndef LIBEXPT_ANALYSIS_INDEX_NAME_H
#define LIBEXPT_ANALYSIS_INDEX_NAME_H

#include <stddef.h>
#include <stdint.h>

struct expt_view;

#define INDEX_NAME_SIZE 512
/* Write the name of the object with this value: "Process 1, Thread 2". */
void index_name(const struct expt_view *view, size_t type, int64_t value,
		char out[INDEX_NAME_SIZE]);

#endif
