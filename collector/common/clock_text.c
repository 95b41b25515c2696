/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/common/clock_text.h"

#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "libexpt/format.h"

void clock_describe(struct text *text)
{
	static const struct packet_field fields[] = {
		{ "MSTATE", "Thread state", "INT32", offsetof(struct clock_packet, state) },
		{ "NTICK", "Duration", "INT32", offsetof(struct clock_packet, ticks) },
	};

	text_add(text, "<profile name=\"profile\"");
	text_add_number(text, "ptimer", settings.period_us);
	text_add_number(text, "numstates", CLOCK_NUMSTATES);
	text_add(text, ">\n");
	packet_describe_file(text, CLOCK_FILE);
	packet_describe(text, PACKET_CLOCK, "Clock profiling data", PACKET_EVENT, fields,
			sizeof(fields) / sizeof(fields[0]));
	text_add(text, "</profile>\n");
}
