/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/java/compiled.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "collector/base/memory.h"
#include "collector/java/walk.h"
#include "collector/machine/machine.h"

/* The machine lists addresses in order; several may be equal, where calls of several
 * inlined methods return. The last one counts. */
static size_t take_positions(struct machine_position *positions, const char *code,
			     const jvmtiAddrLocationMap *map, jint count)
{
	size_t taken = 0;

	for (jint i = 0; i < count; i++) {
		ptrdiff_t offset = (const char *)map[i].start_address - code;

		if (offset < 0 || offset > UINT32_MAX || map[i].location < 0)
			continue;
		if (taken > 0 && positions[taken - 1].offset == offset)
			taken--;
		if (taken > 0 && positions[taken - 1].offset > offset)
			continue;
		positions[taken++] =
			(struct machine_position){ (uint32_t)offset,
						   (uint32_t)map[i].location };
	}
	return taken;
}

void JNICALL compiled_on_load(jvmtiEnv *jvmti, jmethodID method, jint size,
			      const void *code, jint count,
			      const jvmtiAddrLocationMap *map, const void *more)
{
	size_t room = (size_t)count * sizeof(struct machine_position);
	struct machine_position *positions = map && count > 0 ? memory_get_pages(room)
							      : NULL;

	(void)jvmti;
	(void)more;
	machine_method_compiled((uintptr_t)method, code, (size_t)size, positions,
				positions ? take_positions(positions, code, map, count)
					  : 0);
	if (positions)
		memory_return_pages(positions, room);
}

void JNICALL compiled_on_unload(jvmtiEnv *jvmti, jmethodID method, const void *code)
{
	(void)jvmti;
	(void)method;
	machine_code_gone(code);
}

void JNICALL compiled_on_other(jvmtiEnv *jvmti, const char *name, const void *code,
			       jint size)
{
	(void)jvmti;
	if (size > 0 && strcmp(name, "Interpreter") == 0)
		walk_note_interpreter(code, (size_t)size);
	if (size > 0)
		machine_code_made(name, code, (size_t)size);
}
