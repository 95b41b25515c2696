/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/java/monitors.h"

#include <stdint.h>

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

void JNICALL monitors_on_wait(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
			      jobject object)
{
	(void)jvmti;
	(void)jni;
	(void)thread;
	(void)object;
	requested_ns = trace_now();
}

/* An object moves in memory, but keeps its hash code. */
void JNICALL monitors_on_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
			       jobject object)
{
	struct sync_packet packet = { .head.time_ns = trace_now(),
				      .requested_ns = requested_ns };
	jint code = 0;

	(void)jni;
	(void)thread;
	requested_ns = 0;
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
