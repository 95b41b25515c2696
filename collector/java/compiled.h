/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the machine makes. */
#ifndef COLLECTOR_JAVA_COMPILED_H
#define COLLECTOR_JAVA_COMPILED_H

#include <jvmti.h>

/* Callbacks of the machine. */
void JNICALL compiled_on_load(jvmtiEnv *jvmti, jmethodID method, jint size,
			      const void *code, jint count,
			      const jvmtiAddrLocationMap *map, const void *more);
void JNICALL compiled_on_unload(jvmtiEnv *jvmti, jmethodID method, const void *code);
void JNICALL compiled_on_other(jvmtiEnv *jvmti, const char *name, const void *code,
			       jint size);

#endif
