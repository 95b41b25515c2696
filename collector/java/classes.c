/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine gives a method its id when an agent asks for the methods of its class: a
 * stack has no ids of other methods.
 */

#include "collector/java/classes.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "collector/java/locations.h"
#include "collector/java/tool.h"
#include "collector/machine/machine.h"

struct methods {
	jmethodID *ids;
	struct machine_method *items;
	jint count;
};

static bool allocate(void *memory, size_t size)
{
	return (*tool)->Allocate(tool, (jlong)size, memory) == JVMTI_ERROR_NONE;
}

static void release(struct methods *methods)
{
	for (jint i = 0; methods->items && i < methods->count; i++) {
		tool_free((void *)methods->items[i].name);
		tool_free((void *)methods->items[i].signature);
		tool_free((void *)methods->items[i].lines);
	}
	tool_free(methods->items);
	tool_free(methods->ids);
}

/* The machine's table, changed in place into ours, whose entries are smaller. */
static struct java_line *sort_lines(jvmtiLineNumberEntry *table, jint count)
{
	struct java_line *lines = (struct java_line *)table;

	static_assert(sizeof(*lines) <= sizeof(*table), "it is changed in place");
	for (jint i = 0; i < count; i++) {
		struct java_line line = { (uint32_t)table[i].start_location,
					  (uint32_t)table[i].line_number };
		jint at = i;

		for (; at > 0 && lines[at - 1].bci > line.bci; at--)
			lines[at] = lines[at - 1];
		memcpy(&lines[at], &line, sizeof(line));
	}
	return lines;
}

static void find_lines(struct machine_method *method, jmethodID id)
{
	jvmtiLineNumberEntry *table;
	jint count;

	if ((*tool)->GetLineNumberTable(tool, id, &count, &table) != JVMTI_ERROR_NONE)
		return;
	method->lines = sort_lines(table, count);
	method->line_count = (size_t)count;
}

static bool name_method(struct machine_method *method, jmethodID id)
{
	char *name, *signature;

	if ((*tool)->GetMethodName(tool, id, &name, &signature, NULL) != JVMTI_ERROR_NONE)
		return false;
	*method = (struct machine_method){ (uintptr_t)id, name, signature, NULL, 0 };
	find_lines(method, id);
	return true;
}

static void find_methods(struct methods *methods, jclass class)
{
	jint count;

	*methods = (struct methods){ NULL, NULL, 0 };
	if ((*tool)->GetClassMethods(tool, class, &count, &methods->ids) !=
		    JVMTI_ERROR_NONE ||
	    count == 0 ||
	    !allocate(&methods->items, (size_t)count * sizeof(*methods->items)))
		return;
	for (jint i = 0; i < count; i++)
		if (name_method(&methods->items[methods->count], methods->ids[i]))
			methods->count++;
}

void classes_tell(JNIEnv *jni, jclass class, bool is_from_start)
{
	char *name = NULL, *source = NULL, *location;
	struct methods methods;

	if ((*tool)->GetClassSignature(tool, class, &name, NULL) != JVMTI_ERROR_NONE)
		return;
	if ((*tool)->GetSourceFileName(tool, class, &source) != JVMTI_ERROR_NONE)
		source = NULL;
	location = locations_find(jni, class);
	find_methods(&methods, class);
	machine_class(&(struct machine_class){
		.is_from_start = is_from_start,
		.name = name,
		.source = source,
		.location = location,
		.methods = methods.items,
		.count = (size_t)methods.count,
	});
	release(&methods);
	tool_free(location);
	tool_free(source);
	tool_free(name);
}

static bool is_ready(jclass class)
{
	jint status;

	return (*tool)->GetClassStatus(tool, class, &status) == JVMTI_ERROR_NONE &&
	       (status & JVMTI_CLASS_STATUS_PREPARED) != 0;
}

void classes_tell_loaded(JNIEnv *jni)
{
	jclass *classes;
	jint count;

	if ((*tool)->GetLoadedClasses(tool, &count, &classes) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < count; i++) {
		if (is_ready(classes[i]))
			classes_tell(jni, classes[i], true);
		(*jni)->DeleteLocalRef(jni, classes[i]);
	}
	tool_free(classes);
}
