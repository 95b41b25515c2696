/* SPDX-License-Identifier: Apache-2.0 */
/* The start of a Java machine in this process, so that it loads our agent. */
#ifndef COLLECTOR_MACHINE_CREATE_H
#define COLLECTOR_MACHINE_CREATE_H

/* A module of the program, which has this code, has opened the library of a machine;
 * NULL: another library may have come with it: see experiment/load.h. */
void create_expect(const void *code);

#endif
