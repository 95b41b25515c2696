/* SPDX-License-Identifier: Apache-2.0 */
/* File systems, for the library with wrappers of I/O. */
#ifndef COLLECTOR_TRACE_FILE_SYSTEM_H
#define COLLECTOR_TRACE_FILE_SYSTEM_H

#include "libexpt/format.h"

#pragma GCC visibility push(default)

/* Returns the file system of a newly opened descriptor. The answer for a name, relative
 * to the current directory, is cached until trace_forget_file_systems(). name: NULL if it
 * has none. */
enum expt_file_system trace_file_system(int fd, const char *name);
void trace_forget_file_systems(void);

#pragma GCC visibility pop

#endif
