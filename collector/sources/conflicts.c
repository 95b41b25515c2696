/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sources/conflicts.h"

#include <stdatomic.h>

#include "collector/base/text.h"
#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/threads/stacks.h"
#include "libexpt/format.h"

/* ---- deadlocks ---- */

/* NULL: the library is not there. */
static const struct deadlock_hooks *hooks;
static bool *is_wanted;
static int *action;
static _Atomic int64_t last_id;
static bool are_left;

static void tell(void)
{
	if (!hooks)
		return;
	*is_wanted = settings.has_deadlocks;
	*action = settings.on_deadlock;
}

void deadlocks_tell(const struct deadlock_hooks *theirs, bool *wanted, int *what)
{
	hooks = theirs;
	is_wanted = wanted;
	action = what;
	stacks_leave_out(hooks->low, hooks->high);
	thread_legacy = hooks->thread_begins;
	tell();
}

int64_t deadlocks_next_id(void)
{
	return atomic_fetch_add(&last_id, 1) + 1;
}

void deadlocks_leave_possible(void)
{
	are_left = true;
}

bool deadlocks_are_left(void)
{
	return are_left;
}

void deadlocks_note(int number, const char *text)
{
	uint64_t mask = collector_enter();

	log_message("cwarn", number, text, 0);
	collector_leave(mask);
}

static void describe_deadlocks(struct text *text)
{
	static const struct packet_field fields[] = {
		{ "DTYPE", "Held or requested", "INT32",
		  offsetof(struct deadlock_packet, head.what) },
		{ "DID", "Deadlock", "INT64", offsetof(struct deadlock_packet, id) },
		{ "DVADDR", "Lock", "UINT64", offsetof(struct deadlock_packet, lock) },
		{ "DLTYPE", "Actual or potential", "INT32",
		  offsetof(struct deadlock_packet, kind) },
	};

	text_add(text, "<profile name=\"deadlock\">\n");
	packet_describe_file(text, DEADLOCK_FILE);
	packet_describe(text, PACKET_DEADLOCK, "Deadlock data", PACKET_TRACE, fields,
			sizeof(fields) / sizeof(fields[0]));
	text_add(text, "</profile>\n");
}

static bool open_deadlocks(void)
{
	tell();
	return settings.has_deadlocks;
}

static void stop_deadlocks(struct thread *thread)
{
	(void)thread;
	if (hooks)
		hooks->thread_ends();
}

static void close_deadlocks(void)
{
	char buffer[96];
	struct text text = TEXT_ON(buffer);
	unsigned lost = hooks ? hooks->lost() : 0;

	if (lost == 0)
		return;
	text_add_decimal(&text, lost);
	text_add(&text, " requests of locks were not looked at: there are too many");
	log_message("cwarn", EXPT_WARNING_GENERAL, buffer, 0);
}

static void after_fork(void)
{
	atomic_store(&last_id, 0);
	if (hooks)
		hooks->process_forked();
}

const struct data_source deadlock_source = {
	.file = DEADLOCK_FILE,
	.metadata = METADATA_PREFIX DEADLOCK_FILE ".xml",
	.kind = DATA_DEADLOCK,
	.describe = describe_deadlocks,
	.open = open_deadlocks,
	.stop = stop_deadlocks,
	.close = close_deadlocks,
	.after_fork = after_fork,
};

/* ---- races ---- */

bool races_are_wanted(void)
{
	return settings.has_races;
}

bool races_want_deadlocks(void)
{
	return settings.has_deadlocks;
}

static void describe_races(struct text *text)
{
	static const struct packet_field fields[] = {
		{ "RTYPE", "Access", "INT32", offsetof(struct race_packet, head.what) },
		{ "RID", "Race", "INT64", offsetof(struct race_packet, id) },
		{ "RVADDR", "Address", "UINT64", offsetof(struct race_packet, address) },
		{ "RCNT", "Accesses", "INT64", offsetof(struct race_packet, count) },
	};

	text_add(text, "<profile name=\"datarace\" scheme=\"0\">\n");
	packet_describe_file(text, RACE_FILE);
	packet_describe(text, PACKET_RACE, "Data race data", PACKET_TRACE, fields,
			sizeof(fields) / sizeof(fields[0]));
	text_add(text, "</profile>\n");
}

const struct data_source race_source = {
	.file = RACE_FILE,
	.metadata = METADATA_PREFIX RACE_FILE ".xml",
	.kind = DATA_RACE,
	.describe = describe_races,
	.open = races_are_wanted,
};
