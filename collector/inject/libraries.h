/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of libraries: absolute paths, separated by blanks. */
#ifndef COLLECTOR_INJECT_LIBRARIES_H
#define COLLECTOR_INJECT_LIBRARIES_H

/* Call visit for each path, up to the first error. Returns a status, as visit() does,
 * which prints its errors. */
int libraries_visit(const char *libraries, int (*visit)(void *with, const char *path),
		    void *with);

#endif
