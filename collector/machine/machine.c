/* SPDX-License-Identifier: Apache-2.0 */
/* The news of a Java machine's agent, handed on to the files of the experiment. */

#include "collector/machine/machine.h"

#include <limits.h>
#include <string.h>

#include "collector/experiment/classes.h"
#include "collector/experiment/dynamic.h"
#include "collector/experiment/experiment.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/sources/sync.h"
#include "collector/threads/java.h"
#include "collector/threads/thread.h"

bool machine_is_wanted(void)
{
	return collector_has_experiment();
}

/* Make the experiment, if it does not exist yet, and block signals. */
static bool begin(uint64_t *mask)
{
	*mask = 0;
	if (!collector_is_recording() || collector_is_frozen())
		return false;
	*mask = collector_enter();
	if (experiment_materialise())
		return true;
	collector_leave(*mask);
	return false;
}

/* ---- the log ---- */

void machine_describe(const char *version)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);
	uint64_t mask;

	if (!begin(&mask))
		return;
	text_add(&record, "<profile name=\"jprofile\"");
	text_add_attribute(&record, "jversion", version);
	text_add_attribute(&record, "api", "jvmti");
	log_put(&record);
	collector_leave(mask);
}

void machine_warn(const char *text)
{
	uint64_t mask;

	if (!begin(&mask))
		return;
	log_message("cwarn", EXPT_WARNING_GENERAL, text, 0);
	collector_leave(mask);
}

/* Times of the machine's events are absolute, other than those of all others. */
static void begin_event(struct text *record, const char *kind)
{
	text_add(record, "<event kind=\"");
	text_add(record, kind);
	text_add(record, "\" tstamp=\"");
	text_add_time(record, collector_now());
	text_add(record, "\"");
}

static void add_address(struct text *record, const char *name, uint64_t value)
{
	text_add(record, " ");
	text_add(record, name);
	text_add(record, "=\"0x");
	text_add_hex(record, value, 1);
	text_add(record, "\"");
}

/* Names may be of any length, and a record may not; a byte may need four in it. */
#define NAME_MAX_SIZE 128

/* Add the name, or its beginning, which ends with a whole character. */
static void add_name(struct text *record, const char *attribute, const char *name)
{
	char beginning[NAME_MAX_SIZE + 1];
	size_t length;

	if (!name)
		return;
	length = strnlen(name, NAME_MAX_SIZE + 1);
	if (length > NAME_MAX_SIZE)
		for (length = NAME_MAX_SIZE; length > 0 && (name[length] & 0xc0) == 0x80;)
			length--;
	memcpy(beginning, name, length);
	beginning[length] = '\0';
	text_add_attribute(record, attribute, beginning);
}

static void put_thread(const char *kind, const struct machine_thread *thread)
{
	char buffer[LOG_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);
	uint64_t mask;

	if (!begin(&mask))
		return;
	begin_event(&record, kind);
	text_add_number(&record, "tid", thread->tid);
	add_address(&record, "jthr", thread->object);
	add_address(&record, "jenv", thread->environment);
	add_name(&record, "grpname", thread->group);
	add_name(&record, "prntname", thread->parent);
	add_name(&record, "name", thread->name);
	if (!record.is_cut)
		log_put(&record);
	collector_leave(mask);
}

void machine_thread_starts(const struct machine_thread *thread)
{
	put_thread("jthread_start", thread);
}

void machine_thread_ends(const struct machine_thread *thread)
{
	put_thread("jthread_end", thread);
}

static void put_collection(const char *kind)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);
	uint64_t mask;

	if (!begin(&mask))
		return;
	begin_event(&record, kind);
	log_put(&record);
	collector_leave(mask);
}

uint64_t machine_wait_threshold_ns(void)
{
	return (settings.sync_scope & SYNC_SCOPE_JAVA) != 0 ? sync_threshold_now()
							    : UINT64_MAX;
}

bool machine_wants_allocations(void)
{
	return settings.has_heap;
}

void machine_collection_starts(void)
{
	put_collection("gc_start");
}

void machine_collection_ends(void)
{
	put_collection("gc_end");
}

/* ---- stacks ---- */

void machine_walk_by(machine_walker *walker, machine_walker *for_calls)
{
	java_set_walkers(walker, for_calls);
}

bool machine_enter_thread(void)
{
	struct thread *self = thread_self;
	size_t depth = settings.java_depth;

	return self && stack_writer_take_java(&self->in_handler, depth) &&
	       (!settings.is_tracing || stack_writer_take_java(&self->in_call, depth));
}

/* ---- classes and code ---- */

static_assert(sizeof(struct machine_method) == sizeof(struct classes_method) &&
		      offsetof(struct machine_method, line_count) ==
			      offsetof(struct classes_method, line_count),
	      "methods are handed on as they are");
static_assert(sizeof(struct machine_position) == sizeof(struct dynamic_line),
	      "positions are handed on as they are");

void machine_class(const struct machine_class *class)
{
	const struct classes_class made = {
		.time_ns = class->is_from_start ? process.start_ns : collector_now(),
		.name = class->name,
		.source = class->source,
		.location = class->location,
		.methods = (const void *)class->methods,
		.count = class->count,
	};
	uint64_t mask;

	if (!begin(&mask))
		return;
	classes_put(&made);
	collector_leave(mask);
}

void machine_method_compiled(uint64_t method, const void *code, size_t size,
			     const struct machine_position *positions, size_t count)
{
	uint64_t mask;

	java_note_code((uintptr_t)code, size);
	if (!begin(&mask))
		return;
	dynamic_load_method(method, (uintptr_t)code, size, (const void *)positions,
			    count);
	collector_leave(mask);
}

void machine_code_made(const char *name, const void *code, size_t size)
{
	java_note_code((uintptr_t)code, size);
	if (size <= INT_MAX)
		dynamic_load(name, NULL, NULL, (uintptr_t)code, (int)size, 0, NULL);
}

void machine_code_gone(const void *code)
{
	dynamic_unload((uintptr_t)code);
}
