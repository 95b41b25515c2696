/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors of ours: high up, closed on exec, and not there as far as the program's close,
 * dup2, closefrom and close_range are concerned.
 */
#ifndef COLLECTOR_DESCRIPTORS_H
#define COLLECTOR_DESCRIPTORS_H

#include <stdbool.h>

/* The descriptor's new number; the same if there is no better one. */
int descriptor_move_high(int fd);

/* Whether the limit leaves the program as many descriptors as a recording takes, or more. */
bool descriptors_have_room(void);

#endif
