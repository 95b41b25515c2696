/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small file that names the process that holds something: host, boot and process. For
 * file systems on which flock(2) does not work.
 */
#ifndef LIBEXPT_STAGE_OWNER_H
#define LIBEXPT_STAGE_OWNER_H

#include <stdbool.h>

/* Create name in the directory dir for this process. -EEXIST: it exists. */
int owner_create(int dir, const char *name);
/* Returns whether the process that made it may be alive; false without such a file. */
bool owner_is_alive(int dir, const char *name);
/* Returns whether that process is surely dead: from an earlier boot of this host, or
 * gone. */
bool owner_is_dead(int dir, const char *name);

#endif
