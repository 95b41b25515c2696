/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/formats/protobuf.h"

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

void protobuf_list_add(struct strbuf *list, uint64_t value)
{
	unsigned char bytes[10];
	size_t count = 0;

	for (; value > 0x7f; value >>= 7)
		bytes[count++] = (unsigned char)(value | 0x80);
	bytes[count++] = (unsigned char)value;
	strbuf_add(list, bytes, count);
}

static void add_key(struct strbuf *message, unsigned field, unsigned type)
{
	protobuf_list_add(message, field << 3 | type);
}

void protobuf_number(struct strbuf *message, unsigned field, uint64_t value)
{
	if (value == 0)
		return;
	add_key(message, field, WIRE_VARINT);
	protobuf_list_add(message, value);
}

void protobuf_bytes(struct strbuf *message, unsigned field, const void *bytes,
		    size_t length)
{
	add_key(message, field, WIRE_BYTES);
	protobuf_list_add(message, length);
	strbuf_add(message, bytes, length);
}

void protobuf_message(struct strbuf *message, unsigned field, const struct strbuf *part)
{
	if (part->failed)
		message->failed = true;
	protobuf_bytes(message, field, strbuf_text(part), part->length);
}
