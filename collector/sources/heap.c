/* SPDX-License-Identifier: Apache-2.0 */
/* Heap tracing: allocations and frees. The wrappers are in a library of their own. */

#include "collector/sources/heap.h"

#include "collector/base/text.h"
#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "collector/files/files.h"
#include "libexpt/format.h"

static void describe(struct text *text)
{
	static const struct packet_field fields[] = {
		{ "HTYPE", "Type", "INT32", offsetof(struct heap_packet, head.what) },
		{ "HVADDR", "Address", "UINT64", offsetof(struct heap_packet, address) },
		{ "HSIZE", "Size", "UINT64", offsetof(struct heap_packet, size) },
		{ "HOVADDR", "Old address", "UINT64",
		  offsetof(struct heap_move_packet, old_address) },
	};
	static const struct packet_field free_fields[] = {
		{ "HTYPE", "Type", "INT32",
		  offsetof(struct heap_free_packet, head.what) },
		{ "HVADDR", "Address", "UINT64",
		  offsetof(struct heap_free_packet, address) },
	};

	text_add(text, "<profile name=\"heaptrace\">\n");
	packet_describe_file(text, HEAP_FILE);
	packet_describe(text, PACKET_HEAP, "Heap tracing data", PACKET_TRACE, fields, 3);
	packet_describe(text, PACKET_HEAP_MOVE, "Heap tracing data of realloc",
			PACKET_TRACE, fields, 4);
	packet_describe(text, PACKET_HEAP_FREE, "Heap tracing data of free",
			PACKET_TRACE_STACKLESS, free_fields, 2);
	text_add(text, "</profile>\n");
}

struct heap_range heap_range = { true, 0, SIZE_MAX };

static bool is_wanted(void)
{
	heap_range.is_recorded = settings.has_heap;
	heap_range.smallest = settings.smallest_block;
	heap_range.span =
		(settings.largest_block > 0 ? settings.largest_block : SIZE_MAX) -
		settings.smallest_block;
	return settings.has_heap;
}

const struct data_source heap_source = {
	.file = HEAP_FILE,
	.kind = DATA_HEAP,
	.describe = describe,
	.open = is_wanted,
};
