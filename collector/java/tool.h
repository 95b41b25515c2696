/* SPDX-License-Identifier: Apache-2.0 */
/* The tool interface of the Java machine: set when the agent is loaded, then only read.
 * NULL: the process is not recorded. */
#ifndef COLLECTOR_JAVA_TOOL_H
#define COLLECTOR_JAVA_TOOL_H

#include <jvmti.h>
#include <stdbool.h>

extern jvmtiEnv *tool;

/* Give back what a function of the machine has allocated; NULL is fine. */
void tool_free(void *memory);

#endif
