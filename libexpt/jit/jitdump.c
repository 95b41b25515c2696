/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format is described in the Linux sources, tools/perf/Documentation/
 * jitdump-specification.txt. Records with unwinding or line tables are not used.
 */
#include "libexpt/jit/jitdump.h"

#include <string.h>

#define MAGIC UINT32_C(0x4a695444)

struct header {
	uint32_t magic, version, size, machine, reserved, pid;
	uint64_t time_ns, flags;
};

#define FLAG_OTHER_CLOCK 1 /* times are of a processor's counter */

struct record {
	uint32_t kind, size;
	uint64_t time_ns;
};

enum { RECORD_LOAD = 0, RECORD_MOVE = 1 };

/* Followed by the name, with its NUL, and the code. */
struct load {
	struct record record;
	uint32_t pid, tid;
	uint64_t virtual_address, address, size, index;
};

struct move {
	struct record record;
	uint32_t pid, tid;
	uint64_t virtual_address, old_address, address, size, index;
};

struct reader {
	struct jit_codes *codes;
	const unsigned char *bytes;
	size_t length;
	uint64_t start_ns;
	bool has_times;
};

bool jitdump_begins(const void *head, size_t length)
{
	struct header header;

	if (length < sizeof(header))
		return false;
	memcpy(&header, head, sizeof(header));
	return header.magic == MAGIC && header.version == 1 &&
	       header.size >= sizeof(header);
}

static int add_code(const struct reader *reader, const struct record *record,
		    struct jit_code code, uint64_t size, size_t length)
{
	if (__builtin_add_overflow(code.address, size, &code.end))
		return 0;
	if (reader->has_times && record->time_ns > reader->start_ns)
		code.loaded_ns = record->time_ns - reader->start_ns;
	return jit_codes_add(reader->codes, &code, length);
}

static int read_load(const struct reader *reader, const unsigned char *bytes, size_t size)
{
	const char *name = (const char *)bytes + sizeof(struct load);
	struct load load;
	size_t length;

	if (size <= sizeof(load))
		return 0;
	memcpy(&load, bytes, sizeof(load));
	length = strnlen(name, size - sizeof(load));
	return add_code(reader, &load.record,
			(struct jit_code){ .address = load.address, .name = name },
			load.size, length);
}

/* Code that moved has the name of the last code at its old address. */
static int read_move(const struct reader *reader, const unsigned char *bytes, size_t size)
{
	struct move move;

	if (size < sizeof(move))
		return 0;
	memcpy(&move, bytes, sizeof(move));
	for (size_t i = reader->codes->count, tries = 0; i > 0 && tries < 1000; tries++) {
		const struct jit_code *old = &reader->codes->items[--i];

		if (old->address == move.old_address)
			return add_code(reader, &move.record,
					(struct jit_code){ .address = move.address,
							   .name = old->name },
					move.size, strlen(old->name));
	}
	return 0;
}

int jitdump_read(struct jit_codes *codes, const void *bytes, size_t length,
		 uint64_t start_ns)
{
	struct reader reader = { codes, bytes, length, start_ns, false };
	struct header header;
	size_t place;
	int rc = 0;

	if (!jitdump_begins(bytes, length))
		return 0;
	memcpy(&header, bytes, sizeof(header));
	reader.has_times = !(header.flags & FLAG_OTHER_CLOCK);
	place = header.size;
	while (rc == 0 && place < length && length - place >= sizeof(struct record)) {
		const unsigned char *at = reader.bytes + place;
		struct record record;

		memcpy(&record, at, sizeof(record));
		if (record.size < sizeof(record) || record.size > length - place)
			return 0;
		if (record.kind == RECORD_LOAD)
			rc = read_load(&reader, at, record.size);
		else if (record.kind == RECORD_MOVE)
			rc = read_move(&reader, at, record.size);
		place += record.size;
	}
	return rc;
}
