/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine samples allocations, on average one in so many bytes. An object's class is
 * the leaf of its stack, as a method "new" of the class.
 */

#include "collector/java/allocations.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "collector/files/files.h"
#include "collector/java/tool.h"
#include "collector/java/walk.h"
#include "collector/machine/machine.h"
#include "collector/trace/trace.h"
#include "libexpt/format.h"

#define INTERVAL_BYTES 131072
#define CLASSES_MAX    4096 /* others have no leaf; a power of two */
#define NAME_MAX_BYTES 1024

/* ---- classes ---- */

static _Atomic uint64_t told[CLASSES_MAX]; /* the numbers of methods "new" */

/* Ids of the machine's methods are addresses, or small numbers. */
static uint64_t number_of(const char *signature)
{
	uint64_t number = 0xcbf29ce484222325;

	for (; *signature != '\0'; signature++)
		number = (number ^ (unsigned char)*signature) * 0x100000001b3;
	return number | UINT64_C(1) << 63 | 1;
}

static const char *name_of_primitive(char code)
{
	static const char names[] =
		"Bbyte\0Cchar\0Ddouble\0Ffloat\0Iint\0Jlong\0Sshort\0Zboolean\0";
	const char *at = names;

	while (*at != '\0' && *at != code)
		at += strlen(at) + 1;
	return *at != '\0' ? at + 1 : "";
}

/* Only "Lname;" is a class to readers: an array of int is "Lint[];". Returns NULL for a
 * name that is too long. */
static const char *class_name(char *buffer, const char *signature)
{
	size_t dimensions = strspn(signature, "["), length;
	const char *element = signature + dimensions;

	if (dimensions == 0)
		return signature;
	if (*element == 'L')
		element++;
	else
		element = name_of_primitive(*element);
	length = strcspn(element, ";");
	if (length + 2 * dimensions + 3 > NAME_MAX_BYTES)
		return NULL;
	*buffer = 'L';
	memcpy(buffer + 1, element, length);
	for (size_t i = 0; i < dimensions; i++)
		memcpy(buffer + 1 + length + 2 * i, "[]", 2);
	memcpy(buffer + 1 + length + 2 * dimensions, ";", 2);
	return buffer;
}

static void tell(uint64_t number, const char *signature)
{
	const struct machine_method method = { number, "new", "()V", NULL, 0 };
	char buffer[NAME_MAX_BYTES];
	const char *name = class_name(buffer, signature);

	if (name)
		machine_class(&(struct machine_class){
			.is_from_start = true,
			.name = name,
			.methods = &method,
			.count = 1,
		});
}

/* Returns the number of the method "new" of a class, which is told once; 0: none. */
static uint64_t leaf_of(const char *signature)
{
	uint64_t number = number_of(signature), there;
	size_t first = (size_t)(number >> 20);

	for (size_t i = 0; i < CLASSES_MAX; i++) {
		_Atomic uint64_t *slot = &told[(first + i) % CLASSES_MAX];

		there = 0;
		if (atomic_compare_exchange_strong(slot, &there, number))
			tell(number, signature);
		else if (there != number)
			continue;
		return number;
	}
	return 0;
}

/* ---- bytes ---- */

/*
 * An object of x intervals is sampled with a probability of 1 - e^-x, so one that is
 * sampled stands for its size divided by that. e^-x is (1 - x / 1024)^1024.
 */
static uint64_t bytes_of(uint64_t size)
{
	double x = (double)size / INTERVAL_BYTES, power = 1 - x / 1024;

	if (x >= 20)
		return size;
	for (int i = 0; i < 10; i++)
		power *= power;
	return power < 1 ? (uint64_t)((double)size / (1 - power)) : INTERVAL_BYTES;
}

/* ---- samples ---- */

bool allocations_begin(void)
{
	return (*tool)->SetHeapSamplingInterval(tool, INTERVAL_BYTES) == JVMTI_ERROR_NONE;
}

void JNICALL allocations_on_sample(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
				   jobject object, jclass class, jlong size)
{
	static _Atomic uint64_t count;
	struct heap_packet packet = {
		.head = { .what = EXPT_HEAP_JAVA, .time_ns = trace_now() },
		.address = atomic_fetch_add(&count, 1) + 1,
		.size = bytes_of((uint64_t)size),
	};
	char *signature;

	(void)jni;
	(void)thread;
	(void)object;
	if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	walk_begin_callback(leaf_of(signature));
	trace_returned(DATA_HEAP, PACKET_HEAP, &packet.head, sizeof(packet),
		       TRACE_WITH_STACK);
	walk_end_callback();
	tool_free(signature);
}
