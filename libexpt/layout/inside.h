/* SPDX-License-Identifier: Apache-2.0 */
/* Where a directory is; expt_directory_is_inside() is in expt.h. */
#ifndef LIBEXPT_LAYOUT_INSIDE_H
#define LIBEXPT_LAYOUT_INSIDE_H

#include <limits.h>
#include <stdbool.h>

/* The path of an open directory, resolved; false where /proc is missing. */
bool directory_path(char path[PATH_MAX], int dir);

#endif
