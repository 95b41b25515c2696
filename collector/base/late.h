/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries that are opened when the program runs already. They come last in the global
 * scope, so no call reaches their functions by itself, and the program may be bound to
 * another definition than libc's, such as malloc of a library of its own. That definition
 * is in one of the modules up to libc: they were there first, and stay.
 */
#ifndef COLLECTOR_BASE_LATE_H
#define COLLECTOR_BASE_LATE_H

#include <stdbool.h>

#pragma GCC visibility push(default)

/* Returns whether the library with this object was opened late. */
bool late_is(const void *object);
/* Returns the function that the program was bound to before; NULL: none of those modules
 * defines it. version may be NULL: the default one. */
void *late_find(const char *name, const char *version);

#pragma GCC visibility pop

#endif
