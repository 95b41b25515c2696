/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization tracing: waits for other threads. The wrappers are in a library of
 * their own. */

#include "collector/sources/sync.h"

#include <pthread.h>

#include "collector/base/interpose.h"
#include "collector/base/memory.h"
#include "collector/base/text.h"
#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "collector/files/files.h"
#include "collector/process/tsc.h"
#include "libexpt/format.h"

#define NS_PER_US 1000

/* The variable of the library of wrappers; NULL: there is none. */
static uint64_t *threshold_ns;

/* ---- the threshold ---- */

#define CALIBRATION_LOCKS  64
#define CALIBRATION_ROUNDS 32
#define CALIBRATION_FACTOR 5

static uint64_t lock_each(pthread_mutex_t *locks)
{
	LIBC(pthread_mutex_lock, "GLIBC_2.2.5", int, (pthread_mutex_t *));
	uint64_t start = collector_now();

	for (size_t i = 0; i < CALIBRATION_LOCKS; i++)
		real(&locks[i]);
	return collector_now() - start;
}

static void unlock_each(pthread_mutex_t *locks)
{
	LIBC(pthread_mutex_unlock, "GLIBC_2.2.5", int, (pthread_mutex_t *));

	for (size_t i = 0; i < CALIBRATION_LOCKS; i++)
		real(&locks[i]);
}

/* Returns the time for locking CALIBRATION_LOCKS uncontended mutexes. It is the minimum
 * of several measurements, because other processes take some of the time. */
static uint64_t time_of_locking(void)
{
	MEMORY_APART static pthread_mutex_t locks[CALIBRATION_LOCKS];
	uint64_t least = UINT64_MAX;

	for (int round = 0; round < CALIBRATION_ROUNDS; round++) {
		uint64_t time = lock_each(locks);

		unlock_each(locks);
		if (time < least)
			least = time;
	}
	return least;
}

/* Returns microseconds, as in the log; negative, to show that they were measured. */
static int32_t measure_threshold(void)
{
	uint64_t us = time_of_locking() * CALIBRATION_FACTOR /
			      ((uint64_t)CALIBRATION_LOCKS * NS_PER_US) +
		      1;

	return us > INT32_MAX ? -INT32_MAX : -(int32_t)us;
}

uint64_t sync_threshold_now(void)
{
	int32_t us = settings.sync_threshold_us;

	return settings.has_sync ? (uint64_t)(us < 0 ? -us : us) * NS_PER_US : UINT64_MAX;
}

static void tell_threshold(void)
{
	if (threshold_ns)
		*threshold_ns = (settings.sync_scope & SYNC_SCOPE_NATIVE) != 0
					? sync_threshold_now()
					: UINT64_MAX;
}

void sync_tell_threshold(uint64_t *variable)
{
	threshold_ns = variable;
	tell_threshold();
}

static bool open_sync(void)
{
	if (settings.has_sync && settings.sync_threshold_us < 0)
		settings.sync_threshold_us = measure_threshold();
	tell_threshold();
	return settings.has_sync;
}

/* ---- the kind of data ---- */

static void describe(struct text *text)
{
	static const struct packet_field fields[] = {
		{ "SRQST", "Requested at", "INT64",
		  offsetof(struct sync_packet, requested_ns) },
		{ "SOBJ", "Object", "INT64", offsetof(struct sync_packet, object) },
	};

	text_add(text, "<profile name=\"synctrace\"");
	text_add_number(text, "threshold", settings.sync_threshold_us);
	text_add_number(text, "scope", settings.sync_scope);
	text_add(text, ">\n");
	packet_describe_file(text, SYNC_FILE);
	packet_describe(text, PACKET_SYNC, "Synchronization tracing data", PACKET_TRACE,
			fields, sizeof(fields) / sizeof(fields[0]));
	text_add(text, "</profile>\n");
}

const struct data_source sync_source = {
	.file = SYNC_FILE,
	.kind = DATA_SYNC,
	.describe = describe,
	.open = open_sync,
};
