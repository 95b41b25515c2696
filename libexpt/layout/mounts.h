/* SPDX-License-Identifier: Apache-2.0 */
/* Mount points in an experiment. Opening a directory reveals them; for a single file,
 * only the list of all mounts does. */
#ifndef LIBEXPT_LAYOUT_MOUNTS_H
#define LIBEXPT_LAYOUT_MOUNTS_H

#include <limits.h>
#include <stdbool.h>

/* Find a mount point below the directory dir; place is relative to dir. False also
 * without /proc. */
bool mounts_find_below(int dir, char place[PATH_MAX]);

#endif
