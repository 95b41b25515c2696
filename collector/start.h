/* SPDX-License-Identifier: Apache-2.0 */
/* The start of a recording: when the image begins, or when a debugger asks for it. */
#ifndef COLLECTOR_START_H
#define COLLECTOR_START_H

#include <stdbool.h>

/* Call once in the constructor, where libc may be called. argc 0: the command is not
 * needed, or start_read_command() will read it. False: out of memory. */
bool start_prepare(int argc, char **argv);
/* Take the command from the kernel: a program that has run for a while may have written
 * other things over its arguments, as servers do to show what they are. */
void start_read_command(void);
/* Record this process by the settings. The label is that of the first sample. Returns
 * false if the directory of the experiment cannot be reached. */
bool start_recording(const char *label);

#endif
