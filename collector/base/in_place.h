/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_BASE_IN_PLACE_H
#define COLLECTOR_BASE_IN_PLACE_H

/* Have a new file's blocks overwritten in place where its file system copies on write. */
void write_in_place(int fd);

#endif
