/* SPDX-License-Identifier: Apache-2.0 */
/* What is mounted in an experiment. Directories show it when they are opened; of a single
 * file only the list of all mounts tells. */
#ifndef LIBEXPT_LAYOUT_MOUNTS_H
#define LIBEXPT_LAYOUT_MOUNTS_H

#include <limits.h>
#include <stdbool.h>

/* Whether something is mounted below the directory dir, and one such place, as a path
 * from there. Where there is no /proc that is not known: false. */
bool mounts_find_below(int dir, char place[PATH_MAX]);

#endif
