/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/objects/dyntext.h"

#include <string.h>

#include "libexpt/format.h"

struct found {
	const unsigned char *code;
	size_t size;
	bool is_of_time;
};

/* Returns whether a header announces the function, and whether it is of its time. */
static bool is_header_of(const unsigned char *record, size_t size,
			 const struct dyntext_key *key, bool *is_of_time)
{
	struct dyntext_header header;
	uint64_t time_ns;

	if (size < sizeof(header))
		return false;
	memcpy(&header, record, sizeof(header));
	time_ns = header.time_ns < 0 ? 0 : (uint64_t)header.time_ns;
	*is_of_time = time_ns >= key->loaded_ns && time_ns < key->unloaded_ns;
	return header.address == key->address;
}

const unsigned char *dyntext_find(const unsigned char *file, size_t file_size,
				  const struct dyntext_key *key, size_t *size)
{
	struct dyntext_record record;
	struct found found = { 0 };
	bool is_ours = false, is_of_time = false;

	for (size_t at = 0; file_size - at >= sizeof(record); at += record.size) {
		memcpy(&record, file + at, sizeof(record));
		if (record.size < sizeof(record) || record.size > file_size - at)
			break;
		if (record.type == DYNTEXT_HEADER)
			is_ours = is_header_of(file + at, record.size, key, &is_of_time);
		if (record.type != DYNTEXT_CODE || !is_ours ||
		    (found.code && (found.is_of_time || !is_of_time)))
			continue;
		found = (struct found){ file + at + sizeof(record),
					record.size - sizeof(record), is_of_time };
	}
	*size = found.size;
	return found.code;
}
