/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Escapes of the dialect: %hh% is a byte, and the five entities are characters. Before
 * text goes to libxml2, everything but plain ASCII becomes an escape, entities included.
 * So libxml2 sees neither entities nor an encoding, and bytes come back unchanged.
 */
#ifndef LIBEXPT_XML_ESCAPE_H
#define LIBEXPT_XML_ESCAPE_H

#include "libexpt/base/strbuf.h"

/* Convert text or a value to plain ASCII with escapes. A '%' that does not begin an
 * escape is escaped, too, so that it cannot form one with the text that follows. NULs are
 * dropped. */
void xml_clean(struct strbuf *buffer, const unsigned char *text,
	       const unsigned char *end);
/* Convert escapes back to bytes. %00% is left as it is: a NUL would end the string
 * early. */
void xml_decode(struct strbuf *buffer, const unsigned char *text,
		const unsigned char *end);

/* Convert bytes to the form of a text or a value in a file, which xml_clean() and
 * xml_decode() convert back. */
void xml_encode(struct strbuf *buffer, const char *bytes, size_t length);
/* Replace numeric references, which the dialect does not know, by their characters. */
void xml_resolve(struct strbuf *buffer, const char *text);

#endif
