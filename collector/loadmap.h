/* SPDX-License-Identifier: Apache-2.0 */
/* map.xml: what is mapped where, with the identity of each load object. */
#ifndef COLLECTOR_LOADMAP_H
#define COLLECTOR_LOADMAP_H

#include <collector/text.h>

/* Read what is mapped, in normal code; record what has come and gone since the last time. */
void loadmap_refresh(void);
/* Everything that is mapped now, for a new map.xml, and the room it needs at most. */
size_t loadmap_compose_size(void);
void loadmap_compose(struct text *text);
/* In a child of fork. */
void loadmap_forget(void);
/* load.c: the same for what serialises refreshing. */
void loadmap_unlock(void);

#endif
