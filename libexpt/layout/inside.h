/* SPDX-License-Identifier: Apache-2.0 */
/* Location of a directory; expt_directory_is_inside() is declared in expt.h. */
#ifndef LIBEXPT_LAYOUT_INSIDE_H
#define LIBEXPT_LAYOUT_INSIDE_H

#include <limits.h>
#include <stdbool.h>

/* Get the resolved path of an open directory; false without /proc. */
bool directory_path(char path[PATH_MAX], int dir);

#endif
