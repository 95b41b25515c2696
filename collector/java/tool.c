/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/java/tool.h"

jvmtiEnv *tool;

void tool_free(void *memory)
{
	(*tool)->Deallocate(tool, memory);
}
