/* SPDX-License-Identifier: Apache-2.0 */
/* The files from which classes came. */
#ifndef COLLECTOR_JAVA_LOCATIONS_H
#define COLLECTOR_JAVA_LOCATIONS_H

#include <jni.h>

/* Call once, when the machine is initialised. */
void locations_begin(JNIEnv *jni);
/* Returns a jar, or a directory with class files, as a URL, to be given back with
 * tool_free(); NULL: it is unknown, or not a file. Runs no code in Java. */
char *locations_find(JNIEnv *jni, jclass class);

#endif
