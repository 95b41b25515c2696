/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stream/seek_table.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"

#define TABLE_FOOTER_MAGIC  0x8F92EAB1u
#define TABLE_FOOTER_SIZE   9u
#define TABLE_CHECKSUM_FLAG 0x80u
#define TABLE_RESERVED	    0x7cu
#define TABLE_FRAMES_MAX    0x8000000u

uint32_t seek_get32(const unsigned char *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return le32toh(value);
}

unsigned char *seek_put32(unsigned char *bytes, uint32_t value)
{
	value = htole32(value);
	memcpy(bytes, &value, sizeof(value));
	return bytes + sizeof(value);
}

int seek_table_bytes(unsigned char **bytes, size_t *size, const struct seek_table *table)
{
	size_t body = table->count * sizeof(struct seek_entry) + TABLE_FOOTER_SIZE;
	unsigned char *next =
		table->count > TABLE_FRAMES_MAX ? NULL : malloc(SKIPPABLE_HEAD + body);

	if (!next)
		return -ENOMEM;
	*bytes = next;
	*size = SKIPPABLE_HEAD + body;
	next = seek_put32(next, SEEK_TABLE_MAGIC);
	next = seek_put32(next, (uint32_t)body);
	for (size_t i = 0; i < table->count; i++) {
		next = seek_put32(next, table->items[i].packed_size);
		next = seek_put32(next, table->items[i].plain_size);
	}
	next = seek_put32(next, (uint32_t)table->count);
	*next++ = 0;
	seek_put32(next, TABLE_FOOTER_MAGIC);
	return 0;
}

/* The last bytes of a table's frame. */
struct footer {
	uint32_t count;
	size_t entry_size;
};

/* Returns the size of the table's frame if bytes are a footer, else 0. */
static uint64_t parse_footer(struct footer *footer, const unsigned char *bytes)
{
	footer->count = seek_get32(bytes);
	footer->entry_size = bytes[4] & TABLE_CHECKSUM_FLAG ? 12 : 8;
	if (seek_get32(bytes + 5) != TABLE_FOOTER_MAGIC || bytes[4] & TABLE_RESERVED ||
	    footer->count > TABLE_FRAMES_MAX)
		return 0;
	return SKIPPABLE_HEAD + TABLE_FOOTER_SIZE +
	       (uint64_t)footer->count * footer->entry_size;
}

/* Returns the size of the table's frame if the file ends with a footer, else 0. */
static uint64_t table_size(int fd, uint64_t file_size)
{
	unsigned char bytes[TABLE_FOOTER_SIZE];
	struct footer footer;
	uint64_t size;

	if (file_size < SKIPPABLE_HEAD + TABLE_FOOTER_SIZE ||
	    io_pread_full(fd, bytes, sizeof(bytes), (off_t)(file_size - sizeof(bytes))) !=
		    sizeof(bytes))
		return 0;
	size = parse_footer(&footer, bytes);
	return size <= file_size ? size : 0;
}

static bool parse_entries(struct seek_table *table, const unsigned char *bytes,
			  uint32_t count, size_t entry_size, uint64_t frames_size)
{
	for (uint32_t i = 0; i < count; i++, bytes += entry_size) {
		struct seek_entry *entry = array_add(table);

		if (!entry)
			return false;
		entry->packed_size = seek_get32(bytes);
		entry->plain_size = seek_get32(bytes + 4);
		if (entry->packed_size > frames_size ||
		    entry->packed_size > SEEK_PACKED_MAX ||
		    entry->plain_size > SEEK_FRAME_MAX)
			return false;
		frames_size -= entry->packed_size;
	}
	return frames_size == 0;
}

bool seek_table_parse(struct seek_table *table, const unsigned char *bytes, size_t size,
		      uint64_t frames_size)
{
	struct footer footer;

	return size >= SKIPPABLE_HEAD + TABLE_FOOTER_SIZE &&
	       parse_footer(&footer, bytes + size - TABLE_FOOTER_SIZE) == size &&
	       seek_get32(bytes) == SEEK_TABLE_MAGIC &&
	       seek_get32(bytes + 4) == size - SKIPPABLE_HEAD &&
	       parse_entries(table, bytes + SKIPPABLE_HEAD, footer.count,
			     footer.entry_size, frames_size);
}

bool seek_table_read(struct seek_table *table, int fd, uint64_t file_size)
{
	uint64_t size = table_size(fd, file_size);
	cleanup_free unsigned char *bytes = size ? malloc(size) : NULL;

	if (!bytes ||
	    io_pread_full(fd, bytes, size, (off_t)(file_size - size)) != (ssize_t)size)
		return false;
	return seek_table_parse(table, bytes, size, file_size - size);
}
