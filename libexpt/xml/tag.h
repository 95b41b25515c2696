/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start tags, one by one. Those that need any rule of XML are parsed by libxml2: each is
 * an empty element below a root that never ends. After a tag that libxml2 rejects, a new
 * parser is started.
 */
#ifndef LIBEXPT_XML_TAG_H
#define LIBEXPT_XML_TAG_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/base/strbuf.h"
#include "libexpt/expt.h"

/* A parser of tags; initialize it to zeros. */
struct xml_tag {
	/* Attributes of the last tag that was accepted, valid until the next. */
	struct {
		struct expt_attribute *items;
		size_t count, capacity;
	} attributes;
	char problem[160]; /* why the last tag was rejected */
	unsigned restarts; /* tags rejected so far */

	struct _xmlParserCtxt *parser;
	struct strbuf clean;  /* input for libxml2 */
	struct strbuf values; /* names and values from libxml2, decoded */
	struct {
		struct xml_tag_offsets {
			size_t name, value; /* offsets in values */
		} * items;
		size_t count, capacity;
	} offsets;
	bool is_complete; /* libxml2 delivered the tag */
	bool is_repeated; /* a name in it */
	bool is_out_of_memory;
	void (*error_function)(void *, const char *, ...);
	void *error_context;
};

/* Convert the tag between '<' and '>' or "/>" to plain ASCII. Returns the number of
 * attributes, or rather of '=' outside of quotes. */
size_t xml_tag_clean(struct xml_tag *tag, const unsigned char *text,
		     const unsigned char *end);
/* Parse the converted tag. Returns 1, 0 after setting problem, or -ENOMEM. libxml2 writes
 * no messages of its own in this thread from then until xml_tag_release(). */
int xml_tag_parse(struct xml_tag *tag);
/* Returns the first byte that is not printable ASCII, or is '%', '&', '<', '>' or a
 * single quote; none: end. */
const unsigned char *xml_tag_skip_plain(const unsigned char *text,
					const unsigned char *end);
/* Split a tag in the form that recorders write, which is nearly every one; it must be of
 * bytes that xml_tag_skip_plain() skips. false: it has another form or is wrong, so that
 * libxml2 must decide. */
bool xml_tag_split(struct xml_tag *tag, const unsigned char *text,
		   const unsigned char *end);
void xml_tag_release(struct xml_tag *tag);

/* Whether c may separate the words of a tag, or elements. */
static inline bool xml_is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

#endif
