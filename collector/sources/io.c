/* SPDX-License-Identifier: Apache-2.0 */
/* I/O tracing: calls on descriptors and streams. The wrappers are in a library of their
 * own. */

#include "collector/sources/io.h"

#include <stdatomic.h>

#include "collector/base/memory.h"
#include "collector/base/text.h"
#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "collector/files/files.h"
#include "libexpt/format.h"

MEMORY_APART _Atomic uint64_t io_known[IO_KNOWN_MAX / 64];

static void describe(struct text *text)
{
	static const struct packet_field fields[] = {
		{ "IOTYPE", "Type", "INT32", offsetof(struct io_packet, head.what) },
		{ "IOFD", "File descriptor", "INT32",
		  offsetof(struct io_packet, head.fd) },
		{ "IONBYTE", "Bytes", "INT64", offsetof(struct io_packet, bytes) },
		{ "IORQST", "Requested at", "INT64",
		  offsetof(struct io_packet, requested_ns) },
		{ "IOOFD", "Old file descriptor", "INT32",
		  offsetof(struct io_open_packet, old_fd) },
		{ "IOFSTYPE", "File system", "INT32",
		  offsetof(struct io_open_packet, file_system) },
		{ "IOFNAME", "File", "STRING", offsetof(struct io_open_packet, name) },
	};

	text_add(text, "<profile name=\"iotrace\">\n");
	packet_describe_file(text, IO_FILE);
	packet_describe(text, PACKET_IO, "I/O tracing data", PACKET_TRACE, fields, 4);
	packet_describe(text, PACKET_IO_OPEN, "I/O tracing data of a new descriptor",
			PACKET_TRACE, fields, 7);
	text_add(text, "</profile>\n");
}

/* An experiment names files itself, those of its parent as well. */
static void know_none(void)
{
	for (size_t i = 0; i < IO_KNOWN_MAX / 64; i++)
		if (atomic_load_explicit(&io_known[i], memory_order_relaxed) != 0)
			atomic_store_explicit(&io_known[i], 0, memory_order_relaxed);
}

static bool open_io(void)
{
	if (settings.has_io)
		know_none();
	return settings.has_io;
}

const struct data_source io_source = {
	.file = IO_FILE,
	.kind = DATA_IO,
	.describe = describe,
	.open = open_io,
	.after_fork = know_none,
};
