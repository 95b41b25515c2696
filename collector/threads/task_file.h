/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_THREADS_TASK_FILE_H
#define COLLECTOR_THREADS_TASK_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* Read a small file of the kernel about a thread of the process, such as "stat", as text.
 * Returns the length, or a negative errno. A descriptor is open meanwhile: see
 * files/access.h. */
ssize_t task_file_read(pid_t tid, const char *name, char *buffer, size_t size);

/* Call visit for each thread of the process, in the kernel's view of them, but for the
 * calling one. Returns 0, or a negative errno. A descriptor is open meanwhile. */
typedef void task_visit(pid_t tid, void *argument);
long task_visit_others(task_visit *visit, void *argument);

#endif
