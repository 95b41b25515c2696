/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent in a Java machine. Where the process is not recorded, it asks for nothing and
 * the machine runs as it does without one. An agent that fails must not keep the machine
 * from running.
 */

#include "collector/java/allocations.h"
#include "collector/java/classes.h"
#include "collector/java/compiled.h"
#include "collector/java/locations.h"
#include "collector/java/monitors.h"
#include "collector/java/threads.h"
#include "collector/java/tool.h"
#include "collector/java/walk.h"
#include "collector/machine/machine.h"

/* ---- callbacks ---- */

static void set_event(jvmtiEvent event)
{
	(*tool)->SetEventNotificationMode(tool, JVMTI_ENABLE, event, NULL);
}

static void JNICALL on_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti;
	(void)thread;
	walk_set_thread(jni);
	threads_tell_started(jni);
	locations_begin(jni);
	set_event(JVMTI_EVENT_CLASS_PREPARE);
	classes_tell_loaded(jni);
}

static void JNICALL on_end(jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jvmti;
	(void)jni;
	walk_end();
}

static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti;
	threads_start(jni, thread);
}

static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti;
	(void)thread;
	threads_end(jni);
}

/* The machine's walker finds nothing unless someone hears of loaded classes. */
static void JNICALL on_class_load(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
				  jclass class)
{
	(void)jvmti;
	(void)jni;
	(void)thread;
	(void)class;
}

static void JNICALL on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
				     jclass class)
{
	(void)jvmti;
	(void)thread;
	classes_tell(jni, class, false);
}

/* Other functions of the machine may not be called in these. */
static void JNICALL on_collection_start(jvmtiEnv *jvmti)
{
	(void)jvmti;
	machine_collection_starts();
}

static void JNICALL on_collection_end(jvmtiEnv *jvmti)
{
	(void)jvmti;
	machine_collection_ends();
}

/* ---- the start ---- */

static const jvmtiEventCallbacks callbacks = {
	.VMInit = on_start,
	.VMDeath = on_end,
	.ThreadStart = on_thread_start,
	.ThreadEnd = on_thread_end,
	.ClassLoad = on_class_load,
	.ClassPrepare = on_class_prepare,
	.CompiledMethodLoad = compiled_on_load,
	.CompiledMethodUnload = compiled_on_unload,
	.DynamicCodeGenerated = compiled_on_other,
	.GarbageCollectionStart = on_collection_start,
	.GarbageCollectionFinish = on_collection_end,
	.MonitorContendedEnter = monitors_on_wait,
	.MonitorContendedEntered = monitors_on_entry,
	.SampledObjectAlloc = allocations_on_sample,
};

static const jvmtiEvent events[] = {
	JVMTI_EVENT_VM_INIT,
	JVMTI_EVENT_VM_DEATH,
	JVMTI_EVENT_THREAD_START,
	JVMTI_EVENT_THREAD_END,
	JVMTI_EVENT_CLASS_LOAD,
	JVMTI_EVENT_COMPILED_METHOD_LOAD,
	JVMTI_EVENT_COMPILED_METHOD_UNLOAD,
	JVMTI_EVENT_DYNAMIC_CODE_GENERATED,
	JVMTI_EVENT_GARBAGE_COLLECTION_START,
	JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
};

static bool take_capabilities(void)
{
	const jvmtiCapabilities wanted = {
		.can_get_source_file_name = 1,
		.can_get_line_numbers = 1,
		.can_generate_compiled_method_load_events = 1,
		.can_generate_garbage_collection_events = 1,
	};

	return (*tool)->AddCapabilities(tool, &wanted) == JVMTI_ERROR_NONE;
}

static void describe_machine(void)
{
	char *version = NULL;

	if ((*tool)->GetSystemProperty(tool, "java.vm.version", &version) !=
	    JVMTI_ERROR_NONE)
		version = NULL;
	machine_describe(version ? version : "");
	tool_free(version);
}

/* Machines look for waits only if they are asked to. */
static void begin_monitors(void)
{
	const jvmtiCapabilities wanted = { .can_generate_monitor_events = 1 };

	if (!monitors_begin())
		return;
	if ((*tool)->AddCapabilities(tool, &wanted) != JVMTI_ERROR_NONE) {
		machine_warn("the Java machine refuses to tell of waits for monitors");
		return;
	}
	set_event(JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
	set_event(JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
}

static void begin_allocations(void)
{
	const jvmtiCapabilities wanted = { .can_generate_sampled_object_alloc_events =
						   1 };

	if (!machine_wants_allocations())
		return;
	if ((*tool)->AddCapabilities(tool, &wanted) != JVMTI_ERROR_NONE ||
	    !allocations_begin())
		machine_warn("the Java machine refuses to sample allocations");
	else
		set_event(JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
}

static void begin(JavaVM *vm)
{
	describe_machine();
	if (!take_capabilities())
		machine_warn("the Java machine refuses to tell of its code: it has no "
			     "compiled methods and collections here");
	if (!walk_begin(vm))
		machine_warn("the Java machine cannot walk its stacks: there are only "
			     "native ones");
	(*tool)->SetEventCallbacks(tool, &callbacks, (jint)sizeof(callbacks));
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		set_event(events[i]);
	begin_monitors();
	begin_allocations();
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	(void)options;
	(void)reserved;
	if (tool || !machine_is_wanted()) /* or it was given twice */
		return JNI_OK;
	if ((*vm)->GetEnv(vm, (void **)&tool, JVMTI_VERSION_1_2) != JNI_OK)
		return JNI_OK;
	begin(vm);
	return JNI_OK;
}
