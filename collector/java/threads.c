/* SPDX-License-Identifier: Apache-2.0 */
/*
 * While the machine starts it already has threads, but does not tell their names: these
 * threads wait in a list.
 */

#include "collector/java/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/base/system.h"
#include "collector/java/tool.h"
#include "collector/java/walk.h"
#include "collector/machine/machine.h"

#define EARLY_MAX 32

static struct early {
	jobject thread; /* a global reference; NULL: none yet, or told */
	int tid;
	JNIEnv *environment;
} early[EARLY_MAX];
static atomic_uint early_count;

static void tell_group(struct machine_thread *told, JNIEnv *jni, jobject group)
{
	jvmtiThreadGroupInfo info, parent;

	told->group = told->parent = NULL;
	if (!group || (*tool)->GetThreadGroupInfo(tool, group, &info) != JVMTI_ERROR_NONE)
		return;
	told->group = info.name;
	if (info.parent &&
	    (*tool)->GetThreadGroupInfo(tool, info.parent, &parent) == JVMTI_ERROR_NONE) {
		told->parent = parent.name;
		(*jni)->DeleteLocalRef(jni, parent.parent);
	}
	(*jni)->DeleteLocalRef(jni, info.parent);
}

/* Returns false if the machine does not know its name yet. */
static bool tell(JNIEnv *jni, jthread thread, const struct early *where)
{
	struct machine_thread told = { .tid = where->tid,
				       .object = (uintptr_t)where->environment,
				       .environment = (uintptr_t)where->environment };
	jvmtiThreadInfo info;

	if ((*tool)->GetThreadInfo(tool, thread, &info) != JVMTI_ERROR_NONE)
		return false;
	told.name = info.name;
	tell_group(&told, jni, info.thread_group);
	machine_thread_starts(&told);
	tool_free((void *)told.parent);
	tool_free((void *)told.group);
	tool_free(info.name);
	(*jni)->DeleteLocalRef(jni, info.thread_group);
	(*jni)->DeleteLocalRef(jni, info.context_class_loader);
	return true;
}

static void keep(JNIEnv *jni, jthread thread, const struct early *where)
{
	unsigned i = atomic_fetch_add(&early_count, 1);

	if (i >= EARLY_MAX)
		return;
	early[i] = *where;
	__atomic_store_n(&early[i].thread, (*jni)->NewGlobalRef(jni, thread),
			 __ATOMIC_RELEASE);
}

void threads_start(JNIEnv *jni, jthread thread)
{
	const struct early where = { .tid = sys_gettid(), .environment = jni };

	walk_set_thread(jni);
	/* CollectorAPI's methods find threads by it. */
	(*tool)->SetThreadLocalStorage(tool, NULL, (void *)pthread_self());
	if (!tell(jni, thread, &where))
		keep(jni, thread, &where);
}

void threads_end(JNIEnv *jni)
{
	walk_set_thread(NULL);
	machine_thread_ends(&(struct machine_thread){
		.tid = sys_gettid(),
		.object = (uintptr_t)jni,
		.environment = (uintptr_t)jni,
	});
}

void threads_tell_started(JNIEnv *jni)
{
	unsigned count = atomic_load(&early_count);

	for (unsigned i = 0; i < count && i < EARLY_MAX; i++) {
		jobject thread =
			__atomic_exchange_n(&early[i].thread, NULL, __ATOMIC_ACQUIRE);

		if (!thread)
			continue;
		tell(jni, thread, &early[i]);
		(*jni)->DeleteGlobalRef(jni, thread);
	}
}
