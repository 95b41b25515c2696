/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/common/clock_text.h"

#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "libexpt/format.h"

void clock_describe(struct text *text)
{
	clock_describe_states(text, CLOCK_NUMSTATES);
}

void clock_describe_states(struct text *text, unsigned states)
{
	static const struct packet_field fields[] = {
		{ "MSTATE", "Thread state", "INT32",
		  offsetof(struct clock_packet, state) },
		{ "NTICK", "Duration", "INT32", offsetof(struct clock_packet, ticks) },
	};

	text_add(text, "<profile name=\"profile\"");
	text_add_number(text, "ptimer", CLOCK_UNIT_US);
	text_add_number(text, "interval", settings.period_us);
	text_add_number(text, "numstates", states);
	text_add(text, ">\n");
	packet_describe_file(text, CLOCK_FILE);
	packet_describe(text, PACKET_CLOCK, "Clock profiling data", PACKET_EVENT, fields,
			sizeof(fields) / sizeof(fields[0]));
	text_add(text, "</profile>\n<event kind=\"comment\"");
	text_add_number(text, "id", EXPT_COMMENT);
	text_add(text, ">clock: samples each ");
	text_add_decimal(text, settings.period_us);
	text_add(text,
		 " microseconds of CPU time, which is counted in microseconds</event>\n");
}
