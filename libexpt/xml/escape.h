/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Escapes of the dialect: %hh% is a byte, and the five entities are characters. On the
 * way to libxml2 everything but plain ASCII becomes an escape, entities included; so
 * libxml2 sees no entity and no encoding, and bytes come back as they were.
 */
#ifndef LIBEXPT_XML_ESCAPE_H
#define LIBEXPT_XML_ESCAPE_H

#include "libexpt/base/strbuf.h"

/* Text or a value, as plain ASCII with escapes: a '%' that begins no escape is escaped,
 * too, so that it cannot begin one together with what follows. NULs are dropped. */
void xml_clean(struct strbuf *buffer, const unsigned char *text,
	       const unsigned char *end);
/* The bytes again. %00% stays what it is: a NUL would end the string before its end. */
void xml_decode(struct strbuf *buffer, const unsigned char *text,
		const unsigned char *end);

/* Bytes as they stand in a text or a value of a file: what xml_clean() and xml_decode()
 * make these of. */
void xml_encode(struct strbuf *buffer, const char *bytes, size_t length);
/* The text with numeric references, which the dialect does not know, as what they stand
 * for. */
void xml_resolve(struct strbuf *buffer, const char *text);

#endif
