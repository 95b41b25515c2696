/* SPDX-License-Identifier: Apache-2.0 */
/* The native methods of CollectorAPI, which the machine finds by their names. */

#include <jni.h>
#include <pthread.h>
#include <stddef.h>

#include "collector/api.h"
#include "collector/java/tool.h"

#define NATIVE(name, ...)                                                             \
	JNIEXPORT void JNICALL Java_com_sun_forte_st_collector_CollectorAPI__1##name( \
		__VA_ARGS__);                                                         \
	JNIEXPORT void JNICALL Java_com_sun_forte_st_collector_CollectorAPI__1##name( \
		__VA_ARGS__)

NATIVE(sample, JNIEnv *jni, jclass class, jstring name)
{
	const char *text = name ? (*jni)->GetStringUTFChars(jni, name, NULL) : NULL;

	(void)class;
	__collector_sample(text);
	if (text)
		(*jni)->ReleaseStringUTFChars(jni, name, text);
}

NATIVE(pause, JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	__collector_pause();
}

NATIVE(resume, JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	__collector_resume();
}

/* Returns false for a thread that the agent has not seen start, or that has ended. */
static bool find_thread(pthread_t *found, jthread thread)
{
	void *kept = NULL;

	if (!tool || !thread ||
	    (*tool)->GetThreadLocalStorage(tool, thread, &kept) != JVMTI_ERROR_NONE ||
	    !kept)
		return false;
	*found = (pthread_t)kept;
	return true;
}

NATIVE(threadPause, JNIEnv *jni, jclass class, jthread thread)
{
	pthread_t found;

	(void)jni;
	(void)class;
	if (find_thread(&found, thread))
		__collector_thread_pause(found);
}

NATIVE(threadResume, JNIEnv *jni, jclass class, jthread thread)
{
	pthread_t found;

	(void)jni;
	(void)class;
	if (find_thread(&found, thread))
		__collector_thread_resume(found);
}

NATIVE(terminate, JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	__collector_terminate_expt();
}
