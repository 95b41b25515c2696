/* SPDX-License-Identifier: Apache-2.0 */
/* The methods on the stack of a thread that a signal has interrupted. */
#ifndef COLLECTOR_JAVA_WALK_H
#define COLLECTOR_JAVA_WALK_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Find the machine's own walker, and have it asked for each stack. False: there is
 * none. */
bool walk_begin(JavaVM *vm);
/* No longer: the machine ends. */
void walk_end(void);
/* The machine has made its interpreter there. */
void walk_note_interpreter(const void *code, size_t size);
/* Call around a call that is traced in a callback of the machine. Its stack has this
 * method as its leaf; 0: the one that runs. */
void walk_begin_callback(uint64_t leaf);
void walk_end_callback(void);
/* The calling thread belongs to the machine, until its environment is NULL. */
void walk_set_thread(JNIEnv *environment);

#endif
