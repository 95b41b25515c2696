/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for monitors that other threads hold. */
#ifndef COLLECTOR_JAVA_MONITORS_H
#define COLLECTOR_JAVA_MONITORS_H

#include <jvmti.h>
#include <stdbool.h>

/* Are such waits to be recorded? Call once, before the callbacks can be called. */
bool monitors_begin(void);
/* Callbacks of the machine, in the thread that waits. */
void JNICALL monitors_on_wait(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
			      jobject object);
void JNICALL monitors_on_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
			       jobject object);

#endif
