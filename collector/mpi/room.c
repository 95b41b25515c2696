/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/room.h"

#include "collector/base/system.h"
#include "collector/mpi/library.h"

#define STEP 1024 /* for which there is room at first */

static __thread __attribute__((tls_model("initial-exec"))) struct room room;

/* A wrapper of mmap(2) would take it for the program's. */
const struct room *room_make(size_t count)
{
	size_t size = (count + STEP - 1) / STEP * STEP;
	char *start;

	if (count <= room.count)
		return &room;
	start = (void *)system_call(SYS_mmap, 0,
				    (long)(size * (sizeof(*room.messages) +
						   sizeof(*room.handles) + STATUS_MAX)),
				    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				    -1, 0);
	if ((uintptr_t)start >= (uintptr_t)-4095)
		return &room;
	room.messages = (struct message *)start;
	room.handles = (uint64_t *)(room.messages + size);
	room.statuses = (char *)(room.handles + size);
	room.count = size;
	return &room;
}
