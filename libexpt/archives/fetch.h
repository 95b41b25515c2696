/* SPDX-License-Identifier: Apache-2.0 */
/* Files that the caller gets from elsewhere, such as a debuginfod server. */
#ifndef LIBEXPT_ARCHIVES_FETCH_H
#define LIBEXPT_ARCHIVES_FETCH_H

#include "libexpt/elf/elf.h"
#include "libexpt/expt.h"

/* Returns the debug file of an object, if it has the object's build-id; NULL: there is
 * none. fetcher may be NULL. */
struct elf *fetch_debug_file(const struct expt_fetcher *fetcher,
			     const struct elf *object);
/* Returns a descriptor of the source at a path that debug data of the object name, or a
 * negative errno. It is a regular file. */
int fetch_source(const struct expt_fetcher *fetcher, const struct elf *object,
		 const char *path);

#endif
