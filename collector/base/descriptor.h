/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of descriptors that are held beside the program's own. */
#ifndef COLLECTOR_BASE_DESCRIPTOR_H
#define COLLECTOR_BASE_DESCRIPTOR_H

/* Move a descriptor high up, closed on exec. Returns the new number, or the same if there
 * is no better one. */
int descriptor_move_high(int fd);

#endif
