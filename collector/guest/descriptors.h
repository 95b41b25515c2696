/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors of ours, where they must be held (see access.h): high up, closed on exec,
 * and not there as far as the program's close, dup2, closefrom and close_range are
 * concerned.
 */
#ifndef COLLECTOR_DESCRIPTORS_H
#define COLLECTOR_DESCRIPTORS_H

/* The descriptor's new number; the same if there is no better one. */
int descriptor_move_high(int fd);

#endif
