/* SPDX-License-Identifier: Apache-2.0 */
/* Classes and the names of their methods, told when a class is ready: later it may be
 * gone. */
#ifndef COLLECTOR_JAVA_CLASSES_H
#define COLLECTOR_JAVA_CLASSES_H

#include <jvmti.h>
#include <stdbool.h>

/* is_from_start: it may have been there before the agent heard of classes. */
void classes_tell(JNIEnv *jni, jclass class, bool is_from_start);
/* Tell all classes that are there. */
void classes_tell_loaded(JNIEnv *jni);

#endif
