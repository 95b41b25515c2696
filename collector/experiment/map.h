/* SPDX-License-Identifier: Apache-2.0 */
/* map.xml: what is mapped where, with the identity of each load object. */
#ifndef COLLECTOR_EXPERIMENT_MAP_H
#define COLLECTOR_EXPERIMENT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/base/text.h"

/* Read the current mappings, in normal code, and record the changes since the last time.
 */
void loadmap_refresh(void);
/* All current mappings, for a new map.xml, and an upper bound of their size. */
size_t loadmap_compose_size(void);
void loadmap_compose(struct text *text);
/* Begin an event of map.xml, up to its address. */
void loadmap_add_event(struct text *text, const char *object, uint64_t now,
		       uintptr_t address);
/* Add a complete event for the mapping that ends at the address. */
void loadmap_add_unmap(struct text *text, uintptr_t address, uint64_t now);
/* Write an event. False: map.xml does not exist yet, or another thread is writing it. */
bool loadmap_put(const struct text *record);
/* Returns true if holds() is, for the build-id ("" if unknown) of a file that this image
 * mapped after its last fork and that is as new as the run. A file that was made or
 * renamed during the run may be gone before its end. */
typedef bool loadmap_question(const char *build_id);
bool loadmap_any_new_file(loadmap_question *holds);
/* Call in a child of fork. */
void loadmap_forget(void);

#endif
