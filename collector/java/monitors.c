/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/java/monitors.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "collector/files/files.h"
#include "collector/java/walk.h"
#include "collector/machine/machine.h"
#include "collector/trace/trace.h"
#include "libexpt/format.h"

static uint64_t threshold_ns;
static __thread uint64_t requested_ns; /* 0: no wait is under way */

bool monitors_begin(void)
{
	threshold_ns = machine_wait_threshold_ns();
	return threshold_ns != UINT64_MAX;
}

/* ---- virtual threads ---- */

/* One that waits lets another one run on its thread, and may go on with a different one.
 */
#define SLOT_COUNT 1024
#define TRIES	   16

static struct slot {
	_Atomic uint64_t key; /* of the virtual thread; 0: free */
	uint64_t requested_ns;
} slots[SLOT_COUNT];

/* The function is not in the headers before 21. */
#define VERSION_21	  0x00150000
#define IS_VIRTUAL_THREAD 234

typedef jboolean(JNICALL *is_virtual_function)(JNIEnv *jni, jobject object);

static bool is_virtual(JNIEnv *jni, jthread thread)
{
	is_virtual_function function;

	if ((*jni)->GetVersion(jni) < VERSION_21)
		return false;
	memcpy(&function, (void *const *)(const void *)*jni + IS_VIRTUAL_THREAD,
	       sizeof(function));
	return function(jni, thread);
}

static uint64_t key_of(jvmtiEnv *jvmti, jthread thread)
{
	jint code = 0;

	(*jvmti)->GetObjectHashCode(jvmti, thread, &code);
	return (uint64_t)(uint32_t)code + 1;
}

/* Returns the slot that has the key, or for 0 a free one that is taken for it; NULL:
 * there is none near. */
static struct slot *find_slot(uint64_t has, uint64_t key)
{
	for (uint64_t i = 0; i < TRIES; i++) {
		struct slot *slot = &slots[(key + i) % SLOT_COUNT];
		uint64_t expected = has;

		if (atomic_compare_exchange_strong(&slot->key, &expected, key))
			return slot;
	}
	return NULL;
}

static void begin_virtual(uint64_t key)
{
	struct slot *slot = find_slot(0, key);

	if (slot)
		slot->requested_ns = trace_now();
}

/* Returns 0 if the beginning is unknown. */
static uint64_t end_virtual(uint64_t key)
{
	struct slot *slot = find_slot(key, key);
	uint64_t since = slot ? slot->requested_ns : 0;

	if (slot)
		atomic_store(&slot->key, 0);
	return since;
}

/* ---- events ---- */

/* The machine waits in functions of libc, whose calls would count once more. */
void JNICALL monitors_on_wait(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
			      jobject object)
{
	(void)object;
	if (is_virtual(jni, thread)) {
		begin_virtual(key_of(jvmti, thread));
		return;
	}
	requested_ns = trace_now();
	trace_hide(DATA_SYNC, true);
}

static uint64_t end_wait(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	uint64_t since = requested_ns;

	if (is_virtual(jni, thread))
		return end_virtual(key_of(jvmti, thread));
	trace_hide(DATA_SYNC, false);
	requested_ns = 0;
	return since;
}

/* An object moves in memory, but keeps its hash code. */
void JNICALL monitors_on_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
			       jobject object)
{
	struct sync_packet packet = { .head.time_ns = trace_now() };
	jint code = 0;

	packet.requested_ns = end_wait(jvmti, jni, thread);
	if (packet.requested_ns == 0 ||
	    packet.head.time_ns - packet.requested_ns < threshold_ns)
		return;
	(*jvmti)->GetObjectHashCode(jvmti, object, &code);
	packet.object = (uint32_t)code;
	walk_begin_callback(0);
	trace_returned(DATA_SYNC, PACKET_SYNC, &packet.head, sizeof(packet),
		       TRACE_WITH_STACK);
	walk_end_callback();
}
