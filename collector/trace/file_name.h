/* SPDX-License-Identifier: Apache-2.0 */
/* Names of open files, for the library with wrappers of I/O. */
#ifndef COLLECTOR_TRACE_FILE_NAME_H
#define COLLECTOR_TRACE_FILE_NAME_H

#include <stddef.h>

#pragma GCC visibility push(default)

/* Get the path of a descriptor's file, without a NUL; a longer one is cut. Returns its
 * length, or 0 if it has none, as a socket, or if the kernel may not be asked. */
size_t trace_file_name(int fd, char *name, size_t size);

#pragma GCC visibility pop

#endif
