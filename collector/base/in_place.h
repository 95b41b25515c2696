/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_IN_PLACE_H
#define COLLECTOR_IN_PLACE_H

/* Of a new file, as far as its file system can do otherwise. */
void write_in_place(int fd);

#endif
