/* SPDX-License-Identifier: Apache-2.0 */
/* The methods on the stack of a thread that a signal has interrupted. */
#ifndef COLLECTOR_JAVA_WALK_H
#define COLLECTOR_JAVA_WALK_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>

/* Find the machine's own walker, and have it asked for each stack. False: there is
 * none. */
bool walk_begin(JavaVM *vm);
/* No longer: the machine ends. */
void walk_end(void);
/* The machine has made its interpreter there. */
void walk_note_interpreter(const void *code, size_t size);
/* The calling thread belongs to the machine, until its environment is NULL. */
void walk_set_thread(JNIEnv *environment);

#endif
