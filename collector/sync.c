/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization tracing: waits for other threads. Its wrappers are in a library of their own. */

#include <collector/packet.h>
#include <collector/sync.h>
#include <collector/text.h>
#include <libexpt/format.h>

static void describe(struct text *text)
{
	static const struct packet_field fields[] = {
		{ "SRQST", "Requested at", "INT64",
		  offsetof(struct sync_packet, requested_ns) },
		{ "SOBJ", "Object", "INT64", offsetof(struct sync_packet, object) },
	};

	text_add(text, "<profile name=\"synctrace\"");
	text_add_number(text, "threshold", settings.sync_threshold_us);
	text_add_number(text, "scope", SYNC_SCOPE_NATIVE);
	text_add(text, ">\n");
	packet_describe_file(text, SYNC_FILE);
	packet_describe(text, PACKET_SYNC, "Synchronization tracing data", PACKET_TRACE,
			fields, sizeof(fields) / sizeof(fields[0]));
	text_add(text, "</profile>\n");
}

static bool is_wanted(void)
{
	return settings.has_sync;
}

const struct data_source sync_source = {
	.file = SYNC_FILE,
	.kind = DATA_SYNC,
	.describe = describe,
	.open = is_wanted,
};
