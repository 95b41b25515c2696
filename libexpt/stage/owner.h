/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small file that says which process holds something: host, boot and process. For file
 * systems on which flock(2) does not work.
 */
#ifndef LIBEXPT_STAGE_OWNER_H
#define LIBEXPT_STAGE_OWNER_H

#include <stdbool.h>

/* Create name in the directory dir for this process. -EEXIST: it is there. */
int owner_create(int dir, const char *name);
/* Whether the process that made it may live; false without such a file. */
bool owner_is_alive(int dir, const char *name);
/* Whether it surely does not: of an earlier boot of this host, or gone. */
bool owner_is_dead(int dir, const char *name);

#endif
