/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/common/map_text.h"

#include <link.h>
#include <string.h>

#include "collector/base/system.h"

void map_event_begin(struct text *text, const char *object, uint64_t relative_ns,
		     uintptr_t address)
{
	text_add(text, "<event kind=\"map\" object=\"");
	text_add(text, object);
	text_add(text, "\" tstamp=\"");
	text_add_time(text, relative_ns);
	text_add(text, "\" vaddr=\"0x");
	text_add_hex(text, address, 16);
	text_add(text, "\"");
}

void map_event_segment(struct text *text, const struct map_segment *segment,
		       uint64_t relative_ns)
{
	map_event_begin(text, "segment", relative_ns, segment->address);
	text_add_number(text, "size", (int64_t)segment->size);
	text_add_number(text, "pagesz", 4096);
	text_add(text, " foffset=\"+0x");
	text_add_hex(text, segment->file_offset, 8);
	text_add(text, "\" modes=\"0x");
	text_add_hex(text, EXPT_MAP_LOAD_OBJECT, 3);
	text_add(text, "\" chksum=\"" MAP_CHECKSUM_UNKNOWN "\"");
	if (segment->build_id[0] != '\0')
		text_add_attribute(text, "buildid", segment->build_id);
	if (segment->file_time_ns > 0) {
		text_add_number(text, "fsize", (int64_t)segment->file_size);
		text_add(text, " mtime=\"");
		text_add_time(text, segment->file_time_ns);
		text_add(text, "\"");
	}
	text_add_attribute(text, "name", segment->name);
	text_add(text, "/>\n");
}

void map_event_unmap(struct text *text, uint64_t relative_ns, uintptr_t address)
{
	text_add(text, "<event kind=\"unmap\" tstamp=\"");
	text_add_time(text, relative_ns);
	text_add(text, "\" vaddr=\"0x");
	text_add_hex(text, address, 16);
	text_add(text, "\"/>\n");
}

/* ---- identity ---- */

void map_event_identify(struct map_segment *segment)
{
	struct stat status;

	if (sys_stat(segment->name, &status) < 0)
		return;
	segment->file_size = (uint64_t)status.st_size;
	segment->file_time_ns = timespec_ns(&status.st_mtim);
	segment->changed_ns = timespec_ns(&status.st_ctim);
}

void map_event_copy_build_id(const void *notes, size_t size, char *id)
{
	const char *at = notes;
	const char *const end = at + size;

	while (at + sizeof(ElfW(Nhdr)) <= end) {
		const ElfW(Nhdr) *head = (const ElfW(Nhdr) *)(const void *)at;
		const char *name = at + sizeof(*head);
		const char *value = name + ((head->n_namesz + 3) & ~3U);
		struct text text = text_on(id, BUILD_ID_MAX * 2 + 1);

		at = value + ((head->n_descsz + 3) & ~3U);
		if (at > end || head->n_type != NT_GNU_BUILD_ID || head->n_namesz != 4 ||
		    memcmp(name, "GNU", 4) != 0 || head->n_descsz > BUILD_ID_MAX)
			continue;
		for (size_t i = 0; i < head->n_descsz; i++)
			text_add_byte(&text, (unsigned char)value[i]);
		return;
	}
}
