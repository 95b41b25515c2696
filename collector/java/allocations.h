/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of objects: a sample of them, each standing for the bytes up to it. */
#ifndef COLLECTOR_JAVA_ALLOCATIONS_H
#define COLLECTOR_JAVA_ALLOCATIONS_H

#include <jvmti.h>
#include <stdbool.h>

/* Call once, before the callback can be called. False: the machine refuses. */
bool allocations_begin(void);
/* Callback of the machine, in the thread that allocates. */
void JNICALL allocations_on_sample(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
				   jobject object, jclass class, jlong size);

#endif
