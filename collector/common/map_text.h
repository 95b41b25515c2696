/* SPDX-License-Identifier: Apache-2.0 */
/* The events of map.xml as text, for any process. All times are relative to the start. */
#ifndef COLLECTOR_COMMON_MAP_TEXT_H
#define COLLECTOR_COMMON_MAP_TEXT_H

#include <limits.h>

#include "collector/base/text.h"
#include "libexpt/format.h"

/* Room for one event. */
#define MAP_EVENT_MAX (PATH_MAX * 4 + 512)

/* Code from a file in the memory of a process. */
struct map_segment {
	uintptr_t address;
	size_t size;
	uint64_t file_offset;
	uint64_t file_size, file_time_ns;
	uint64_t changed_ns;		     /* the file's ctime */
	char build_id[BUILD_ID_MAX * 2 + 1]; /* "" if unknown */
	const char *name;
};

/* The beginning of an event, up to its address. */
void map_event_begin(struct text *text, const char *object, uint64_t relative_ns,
		     uintptr_t address);
void map_event_segment(struct text *text, const struct map_segment *segment,
		       uint64_t relative_ns);
void map_event_unmap(struct text *text, uint64_t relative_ns, uintptr_t address);

/* Fill in size and times of the file that has the segment's name now. */
void map_event_identify(struct map_segment *segment);
/* Copy the build-id among the notes, if there is one, into a segment's build_id. */
void map_event_copy_build_id(const void *notes, size_t size, char *id);

#endif
