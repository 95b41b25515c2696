/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of the Java machine by name. The functions are called in the thread itself,
 * except for the last one. */
#ifndef COLLECTOR_JAVA_THREADS_H
#define COLLECTOR_JAVA_THREADS_H

#include <jvmti.h>

void threads_start(JNIEnv *jni, jthread thread);
void threads_end(JNIEnv *jni);
/* Call when the machine is initialised: tell the names of the threads that started
 * before, which it did not give then. */
void threads_tell_started(JNIEnv *jni);

#endif
