/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start tags through libxml2, one by one: each is an empty element below a root that
 * never ends. Behind one that it does not understand libxml2 starts afresh.
 */
#ifndef LIBEXPT_XML_TAG_H
#define LIBEXPT_XML_TAG_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/base/strbuf.h"
#include "libexpt/expt.h"

struct xml_tag {
	/* Of the last one that was understood: valid until the next. */
	struct {
		struct expt_attribute *items;
		size_t count, capacity;
	} attributes;
	char problem[160]; /* with the last one, if it was not */
	unsigned restarts; /* so many were not */

	struct _xmlParserCtxt *parser;
	struct strbuf clean;  /* what libxml2 gets */
	struct strbuf values; /* what it made of it, decoded */
	struct {
		struct xml_tag_offsets {
			size_t name, value; /* where they begin in values */
		} * items;
		size_t count, capacity;
	} offsets;
	bool is_complete; /* libxml2 delivered the tag */
	bool is_out_of_memory;
	void (*error_function)(void *, const char *, ...);
	void *error_context;
};

/* Up to its release what libxml2 has to say in this thread goes nowhere else. */
void xml_tag_init(struct xml_tag *tag);
void xml_tag_release(struct xml_tag *tag);

/* The tag between '<' and '>' or "/>" becomes plain ASCII; its number of attributes, or
 * of what looks like some. */
size_t xml_tag_clean(struct xml_tag *tag, const unsigned char *text,
		     const unsigned char *end);
/* Parse what was made clean: 1; 0, and what the problem is; or -ENOMEM. */
int xml_tag_parse(struct xml_tag *tag);

/* What may stand between the words of a tag, and between elements. */
static inline bool xml_is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

#endif
