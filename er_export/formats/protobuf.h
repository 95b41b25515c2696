/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in the encoding of protocol buffers: fields of numbers and of bytes. A field
 * that is 0 or empty is left out, as it is by default. */
#ifndef ER_EXPORT_FORMATS_PROTOBUF_H
#define ER_EXPORT_FORMATS_PROTOBUF_H

#include <stdint.h>

#include "libexpt/base/strbuf.h"

void protobuf_number(struct strbuf *message, unsigned field, uint64_t value);
/* A message within another, or text. */
void protobuf_bytes(struct strbuf *message, unsigned field, const void *bytes,
		    size_t length);
void protobuf_message(struct strbuf *message, unsigned field, const struct strbuf *part);
/* Add a number to a list, which is then a field of bytes. */
void protobuf_list_add(struct strbuf *list, uint64_t value);

#endif
