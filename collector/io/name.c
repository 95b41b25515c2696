/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files that were opened before the recording, by another program, or in a way
 * that no wrapper sees. */

#include "collector/io/io.h"
#include "collector/trace/file_name.h"

static void record(struct thread *thread, int fd)
{
	union {
		struct io_open_packet packet;
		char bytes[sizeof(struct io_open_packet) + PATH_MAX];
	} room;
	size_t at = offsetof(struct io_open_packet, name);
	size_t length = trace_file_name(fd, room.bytes + at, PATH_MAX);
	size_t size = (at + length + 1 + 7) & ~(size_t)7;

	if (length == 0)
		return;
	memset(room.bytes + at + length, 0, size - at - length);
	room.packet.io = io_packet(trace_now(), EXPT_IO_NAME, false, fd, 0);
	room.packet.old_fd = 0;
	room.packet.file_system = trace_file_system(fd, NULL);
	trace_record(thread, DATA_IO, PACKET_IO_OPEN, &room.packet.io.head, size,
		     TRACE_WITHOUT_STACK);
}

__attribute__((noinline)) void io_name(int fd)
{
	struct thread *thread = trace_begin();

	if (!thread)
		return;
	if (io_know(fd))
		record(thread, fd);
	trace_end(thread);
}
