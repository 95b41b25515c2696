/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/common/counter_text.h"

#include <linux/perf_event.h>

#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "libexpt/format.h"

static bool has_address(const struct counter *counter)
{
	return (counter->flags & COUNTER_ADDRESS) != 0;
}

/* Returns true for the counter that watches memory. */
static bool is_watch(const struct counter *counter)
{
	return counter->type == PERF_TYPE_BREAKPOINT;
}

static void describe_counter(struct text *text, size_t i)
{
	const struct counter *counter = &settings.counters[i];

	text_add(text, "<profile name=\"hwcounter\"");
	text_add_number(text, "cpuver", counter->cpu);
	text_add_attribute(text, "hwcname", counter->name);
	text_add_attribute(text, "int_name", counter->internal);
	text_add_number(text, "interval", (int64_t)counter->period);
	text_add_number(text, "tag", (int64_t)i);
	text_add_number(text, "memop",
			is_watch(counter)      ? EXPT_MEMOP_PRECISE_NEXT
			: has_address(counter) ? EXPT_MEMOP_PRECISE
					       : EXPT_MEMOP_NONE);
	text_add(text, "/>\n");
}

static bool has_addresses(void)
{
	for (size_t i = 0; i < settings.counter_count; i++)
		if (has_address(&settings.counters[i]))
			return true;
	return false;
}

/* clang-format off */
#define REGISTER(number, name) \
	{ "REG" #number, "Register " name, "UINT64", \
	  offsetof(struct counter_address_packet, registers[number]) }
#define REGISTER_FIELDS \
	REGISTER(0, "rax"), REGISTER(1, "rdx"), REGISTER(2, "rcx"), REGISTER(3, "rbx"), \
	REGISTER(4, "rsi"), REGISTER(5, "rdi"), REGISTER(6, "rbp"), REGISTER(7, "rsp"), \
	REGISTER(8, "r8"), REGISTER(9, "r9"), REGISTER(10, "r10"), REGISTER(11, "r11"), \
	REGISTER(12, "r12"), REGISTER(13, "r13"), REGISTER(14, "r14"), REGISTER(15, "r15")
/* clang-format on */

void counters_describe(struct text *text)
{
	static const struct packet_field fields[] = {
		{ "HWCTAG", "Counter index", "INT32",
		  offsetof(struct counter_packet, tag) },
		{ "HWCINT", "Events", "INT64", offsetof(struct counter_packet, events) },
		{ "VADDR", "Data address", "UINT64",
		  offsetof(struct counter_address_packet, address) },
		{ "VIRTPC", "Address of the instruction", "UINT64",
		  offsetof(struct counter_address_packet, pc) },
		{ "PADDR", "Physical data address", "UINT64",
		  offsetof(struct counter_address_packet, physical) },
		REGISTER_FIELDS,
	};

	packet_describe_file(text, HWC_FILE);
	packet_describe(text, PACKET_HWC, "Counter overflow data", PACKET_EVENT, fields,
			2);
	if (has_addresses())
		packet_describe(text, PACKET_HWC_ADDRESS,
				"Counter overflow data with addresses", PACKET_EVENT,
				fields, sizeof(fields) / sizeof(fields[0]));
	for (size_t i = 0; i < settings.counter_count; i++)
		describe_counter(text, i);
}
