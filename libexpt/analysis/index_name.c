/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/analysis/index_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/path.h"
#include "libexpt/events/view.h"

typedef void namer(const struct expt_view *view, int64_t value,
		   char out[INDEX_NAME_SIZE]);

static void name_thread(const struct expt_view *view, int64_t value, char *out)
{
	snprintf(out, INDEX_NAME_SIZE, "Process %" PRId64 ", Thread %" PRIu32,
		 value >> 32, (uint32_t)value);
}

static void name_cpu(const struct expt_view *view, int64_t value, char *out)
{
	snprintf(out, INDEX_NAME_SIZE, "CPU %" PRId64, value);
}

static void name_sample(const struct expt_view *view, int64_t value, char *out)
{
	snprintf(out, INDEX_NAME_SIZE, "Sample %" PRId64, value);
}

static void name_collection(const struct expt_view *view, int64_t value, char *out)
{
	if (value == 0)
		snprintf(out, INDEX_NAME_SIZE, "Not in any GCEvent");
	else
		snprintf(out, INDEX_NAME_SIZE, "GCEvent %" PRId64, value);
}

static void name_second(const struct expt_view *view, int64_t value, char *out)
{
	snprintf(out, INDEX_NAME_SIZE, "Second of execution %" PRId64, value);
}

/* ---- processes ---- */

/* Returns the program's name: the first word of the command, without directories. */
static void program_name(const struct expt *expt, char *out, size_t size)
{
	const char *command = expt_info(expt)->command;
	size_t length = command ? strcspn(command, " ") : 0, start = length;

	while (start > 0 && command[start - 1] != '/')
		start--;
	snprintf(out, size, "%.*s", (int)(length - start),
		 command ? command + start : "");
}

/* Returns the member with this number in the first group that has one; NULL: none. */
static const struct view_member *member_of_compared(const struct expt_view *view,
						    int64_t number)
{
	for (size_t group = 0; group < view->groups; group++) {
		int64_t count = 0;

		for (size_t i = 0; i < view->members.count; i++)
			if (view->members.items[i].group == group && ++count == number)
				return &view->members.items[i];
	}
	return NULL;
}

static void name_process(const struct expt_view *view, int64_t value, char *out)
{
	const struct view_member *member = member_of_compared(view, value);
	char program[256];

	if (!member) {
		snprintf(out, INDEX_NAME_SIZE, "Process %3" PRId64, value);
		return;
	}
	program_name(member->expt, program, sizeof(program));
	snprintf(out, INDEX_NAME_SIZE, "%s, Process %3" PRId64 ", PID %" PRId64, program,
		 value, expt_info(member->expt)->pid);
}

static size_t number_of_founder(const struct expt_view *view, size_t founder)
{
	size_t number = 1;

	for (size_t i = 0; i < founder; i++)
		number += view->members.items[i].founder == i;
	return number;
}

static void name_experiment(const struct expt_view *view, int64_t value, char *out)
{
	uint64_t number = ((uint64_t)value >> 32) & ((UINT64_C(1) << 28) - 1);
	const struct view_member *member;
	char program[256];

	if (number == 0 || number > view->members.count) {
		snprintf(out, INDEX_NAME_SIZE, "Process %" PRIu64, number);
		return;
	}
	member = &view->members.items[number - 1];
	program_name(member->expt, program, sizeof(program));
	snprintf(out, INDEX_NAME_SIZE,
		 "Base Experiment %zu, Process %" PRIu64 ", PID %" PRId64 ", %s",
		 number_of_founder(view, member->founder), number,
		 expt_info(member->expt)->pid, program);
}

/* ---- ranges ---- */

static void size_text(int bits, char *out, size_t size)
{
	static const char *const units[] = { "", "KB", "MB", "GB", "TB", "PB" };

	snprintf(out, size, "%u%s", 1u << bits % 10, units[bits / 10]);
}

static void name_size(const struct expt_view *view, int64_t value, char *out)
{
	int bits = value > 0 ? 63 - __builtin_clzll((unsigned long long)value) : 0;
	char low[16] = "0", high[16];

	size_text(bits, high, sizeof(high));
	if (bits > 0)
		size_text(bits - 2, low, sizeof(low));
	if (value == 0)
		snprintf(out, INDEX_NAME_SIZE, "%5d Bytes", 0);
	else if (value > INT64_C(1) << 50)
		snprintf(out, INDEX_NAME_SIZE, "%5s < n", high);
	else
		snprintf(out, INDEX_NAME_SIZE, "%5s < n <= %5s%s", low, high,
			 bits < 10 ? " Bytes" : "");
}

static void time_text(int64_t ns, char *out, size_t size)
{
	static const struct {
		int64_t ns;
		const char *unit;
	} units[] = {
		{ 1000000000, "s" },
		{ 1000000, "ms" },
		{ 1000, "us" },
		{ 1, "ns" },
	};
	size_t i = 0;

	while (ns < units[i].ns && units[i].ns > 1)
		i++;
	snprintf(out, size, "%" PRId64 "%s", ns / units[i].ns,
		 ns == 0 ? "" : units[i].unit);
}

static void name_duration(const struct expt_view *view, int64_t value, char *out)
{
	char low[32], high[32];

	time_text(value <= 1000 ? 0 : value / 10, low, sizeof(low));
	time_text(value, high, sizeof(high));
	if (value == 0)
		snprintf(out, INDEX_NAME_SIZE, "%5s", "0s");
	else if (value > INT64_C(10000000000000))
		snprintf(out, INDEX_NAME_SIZE, "%5s < n", high);
	else
		snprintf(out, INDEX_NAME_SIZE, "%5s < n <= %5s", low, high);
}

/* In the order of the types that each view has. */
static namer *const namers[] = {
	name_thread,  name_cpu,	       name_sample, name_collection, name_second,
	name_process, name_experiment, name_size,   name_duration,
};

void index_name(const struct expt_view *view, size_t type, int64_t value,
		char out[INDEX_NAME_SIZE])
{
	if (value == -1)
		snprintf(out, INDEX_NAME_SIZE, "<Unknown>");
	else if (type < sizeof(namers) / sizeof(*namers))
		namers[type](view, value, out);
	else if (view->index_types.items[type].shown.is_memory)
		snprintf(out, INDEX_NAME_SIZE, "%s 0x%016" PRIx64,
			 view->index_types.items[type].shown.name, (uint64_t)value);
	else
		snprintf(out, INDEX_NAME_SIZE, "%s 0x%016" PRIx64 " (%" PRId64 ")",
			 view->index_types.items[type].shown.name, (uint64_t)value,
			 value);
}
