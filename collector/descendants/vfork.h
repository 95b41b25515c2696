/* SPDX-License-Identifier: Apache-2.0 */
/* Children that share the memory of their parent, whose thread waits for them. */
#ifndef COLLECTOR_DESCENDANTS_VFORK_H
#define COLLECTOR_DESCENDANTS_VFORK_H

#include "collector/descendants/descendants.h"

/* Call with signals blocked, before the child is made, to number it. False: the child is
 * not logged. */
bool descendants_begin_vfork(struct birth *birth);
/* Call with signals blocked, when the thread runs again. */
void descendants_end_vfork(const struct birth *birth, pid_t pid, int error);
/* Call in the child after a failed exec. */
void descendants_note_failure(const char *variant, const char *path, int error);

#endif
