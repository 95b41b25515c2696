/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs and maps are not documents: they have no root, NULs appear between the elements,
 * some writers close elements that they did not open, and a crash cuts them off anywhere.
 * So this file finds the tags and tracks the nesting, up to a limit, and each start tag
 * is parsed by itself: see tag.h. Only bad tags are lost.
 */
#include "libexpt/xml/xml.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/strbuf.h"
#include "libexpt/common/error.h"
#include "libexpt/xml/escape.h"
#include "libexpt/xml/tag.h"

#define DEPTH_MAX      32	  /* real logs have five levels */
#define NAME_LENGTH    63	  /* of an element */
#define TAG_LENGTH     (4u << 20) /* one attribute holds all arguments of an exec */
#define TEXT_LENGTH    (4u << 20)
#define ATTRIBUTES_MAX 128 /* libxml2 compares every pair */
#define ATTRIBUTE_MIN  5   /* bytes, with the blank before it */
#define RESTARTS_MAX   1000

struct open_element {
	char name[NAME_LENGTH + 1];
	unsigned line;
	struct strbuf text;
};

struct reader {
	const struct xml_handler *handler;
	void *context;
	const unsigned char *begin, *next, *end;
	unsigned line;

	struct open_element stack[DEPTH_MAX];
	unsigned depth;
	size_t too_deep; /* open elements beyond the stack */

	struct strbuf clean; /* text converted to plain ASCII */
	struct xml_tag tag;  /* the last start tag */
};

static void damage(struct reader *reader, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void damage(struct reader *reader, unsigned line, const char *format, ...)
{
	char what[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	for (char *c = what; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	reader->handler->damage(reader->context, line, what);
}

/* ---- elements ---------------------------------------------------------------------- */

static const char *parent_name(const struct reader *reader)
{
	return reader->depth ? reader->stack[reader->depth - 1].name : "";
}

static int report_start(struct reader *reader, const char *name, unsigned line)
{
	struct xml_element element = {
		.name = name,
		.parent = parent_name(reader),
		.depth = reader->depth,
		.line = line,
		.attributes = reader->tag.attributes.items,
		.attribute_count = reader->tag.attributes.count,
	};

	return reader->handler->start(reader->context, &element);
}

static void push(struct reader *reader, const char *name, unsigned line)
{
	struct open_element *top = &reader->stack[reader->depth++];

	strcpy(top->name, name);
	top->line = line;
	strbuf_clear(&top->text);
}

static int pop(struct reader *reader)
{
	const struct open_element *top = &reader->stack[--reader->depth];

	return reader->handler->end(reader->context, top->name, strbuf_text(&top->text));
}

/* Close the elements that are still open below the given depth. */
static int pop_unclosed(struct reader *reader, unsigned depth)
{
	while (reader->depth > depth) {
		const struct open_element *top = &reader->stack[reader->depth - 1];
		int rc;

		damage(reader, top->line, "element '%s' is not closed", top->name);
		rc = pop(reader);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static bool is_name_start(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_character(unsigned char c)
{
	return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
	       c == ':';
}

/* Get the element name at text; false: there is none, or it is longer than any known
 * name. */
static bool parse_name(char name[NAME_LENGTH + 1], const unsigned char *text,
		       const unsigned char *end)
{
	size_t length = 0;

	while (text + length < end && is_name_character(text[length]))
		if (++length > NAME_LENGTH)
			return false;
	memcpy(name, text, length);
	name[length] = '\0';
	return length > 0 && is_name_start(text[0]);
}

static void move_to(struct reader *reader, const unsigned char *place)
{
	const unsigned char *end;

	while ((end = memchr(reader->next, '\n', (size_t)(place - reader->next)))) {
		reader->line++;
		reader->next = end + 1;
	}
	reader->next = place;
}

/* Returns the '>' that ends the tag at text, or where the tag is cut off: at a '<', a NUL
 * or the end. */
static const unsigned char *find_tag_end(const unsigned char *text,
					 const unsigned char *end)
{
	unsigned char quote = 0;

	for (; text < end; text++) {
		if (*text == '<' || *text == '\0' || (*text == '>' && !quote))
			break;
		if (*text == quote)
			quote = 0;
		else if (!quote && (*text == '"' || *text == '\''))
			quote = *text;
	}
	return text;
}

/* Split the tag at text, and find its '>', if it has the form that recorders write. */
static bool split_tag(struct reader *reader, const unsigned char *text,
		      const unsigned char **end)
{
	const unsigned char *inner;

	*end = xml_tag_skip_plain(text, reader->end);
	if (*end == reader->end || **end != '>' ||
	    *end - text > ATTRIBUTES_MAX * ATTRIBUTE_MIN)
		return false;
	inner = *end - (*end > text && (*end)[-1] == '/');
	return xml_tag_split(&reader->tag, text, inner);
}

/* Parse a tag of any form. Returns 1, or 0 if it is damaged. */
static int parse_tag(struct reader *reader, const char *name, const unsigned char *text,
		     const unsigned char *end, unsigned line)
{
	int rc;

	if (xml_tag_clean(&reader->tag, text, end) > ATTRIBUTES_MAX) {
		damage(reader, line, "too many attributes of element '%s'", name);
		return 0;
	}
	rc = xml_tag_parse(&reader->tag);
	if (rc == 0)
		damage(reader, line, "element '%s': %s", name, reader->tag.problem);
	return rc;
}

/* Open the element of a tag. is_split: xml_tag_split() had the right form, and has set
 * its attributes. */
static int open_element(struct reader *reader, const unsigned char *text,
			const unsigned char *end, bool is_split, unsigned line)
{
	bool is_empty = end > text && end[-1] == '/';
	char name[NAME_LENGTH + 1];
	int rc;

	if (reader->depth == DEPTH_MAX) {
		if (!reader->too_deep)
			damage(reader, line, "elements nested more than %d deep",
			       DEPTH_MAX);
		reader->too_deep += !is_empty;
		return 0;
	}
	if (!parse_name(name, text, end)) {
		damage(reader, line, "element name '%.*s...' too long", 20,
		       (const char *)text);
		return 0;
	}
	if (end - text > TAG_LENGTH) {
		damage(reader, line, "tag of element '%s' too long", name);
		return 0;
	}
	if (!is_split) {
		rc = parse_tag(reader, name, text, end - is_empty, line);
		if (rc <= 0)
			return rc;
	}
	rc = report_start(reader, name, line);
	if (rc < 0)
		return rc;
	push(reader, name, line);
	return is_empty ? pop(reader) : 0;
}

static int close_element(struct reader *reader, const unsigned char *text,
			 const unsigned char *end, unsigned line)
{
	char name[NAME_LENGTH + 1];
	unsigned depth = reader->depth;
	int rc;

	if (reader->too_deep) {
		reader->too_deep--;
		return 0;
	}
	if (!parse_name(name, text, end)) {
		damage(reader, line, "end tag without a name");
		return 0;
	}
	while (depth > 0 && strcmp(reader->stack[depth - 1].name, name) != 0)
		depth--;
	if (depth == 0) {
		damage(reader, line, "end tag '%s' without a matching start tag", name);
		return 0;
	}
	rc = pop_unclosed(reader, depth);
	return rc < 0 ? rc : pop(reader);
}

/* ---- the sequence of tags and text ------------------------------------------------- */

/* Add to the text of the innermost open element. */
static int add_text(struct reader *reader, const unsigned char *end)
{
	struct strbuf *text = &reader->stack[reader->depth - 1].text;
	const unsigned char *clean;

	if (text->length + (size_t)(end - reader->next) > TEXT_LENGTH) {
		damage(reader, reader->line, "text too long");
		return 0;
	}
	strbuf_clear(&reader->clean);
	xml_clean(&reader->clean, reader->next, end);
	clean = (const unsigned char *)strbuf_text(&reader->clean);
	xml_decode(text, clean, clean + reader->clean.length);
	return reader->clean.failed || text->failed ? -ENOMEM : 0;
}

/* Check whether the text is a record that was under way when the recorder was killed: its
 * first byte is written last, and no other record follows. */
static bool is_under_way(const struct reader *reader, const unsigned char *text)
{
	return text > reader->begin && text[-1] == '\0' &&
	       !memmem(text, (size_t)(reader->end - text), "\n<", 2);
}

static int read_text(struct reader *reader)
{
	size_t left = (size_t)(reader->end - reader->next);
	const unsigned char *start = reader->next, *end = memchr(start, '<', left);
	int rc = 0;

	if (!end)
		end = reader->end;
	while (start < end && xml_is_blank(*start))
		start++;
	if (start < end && reader->depth == 0 && is_under_way(reader, start)) {
		end = reader->end;
	} else if (start < end && reader->depth == 0) {
		move_to(reader, start);
		damage(reader, reader->line, "text outside of elements");
	} else if (start < end && !reader->too_deep) {
		rc = add_text(reader, end);
	}
	move_to(reader, end);
	return rc;
}

/* Skip a comment, declaration or processing instruction, wherever it appears. */
static void skip_declaration(struct reader *reader)
{
	size_t left = (size_t)(reader->end - reader->next);
	const unsigned char *end;
	const char *closing = ">";

	if (left >= 4 && memcmp(reader->next, "<!--", 4) == 0)
		closing = "-->";
	end = memmem(reader->next, left, closing, strlen(closing));
	if (!end) {
		damage(reader, reader->line, "declaration truncated");
		end = reader->end;
	} else {
		end += strlen(closing);
	}
	move_to(reader, end);
}

static int read_tag(struct reader *reader)
{
	const unsigned char *start = reader->next + 1, *end;
	unsigned line = reader->line;
	bool is_split, is_end = start < reader->end && *start == '/';

	if (start < reader->end && (*start == '?' || *start == '!')) {
		skip_declaration(reader);
		return 0;
	}
	if (start == reader->end || (!is_end && !is_name_start(*start))) {
		damage(reader, line, "'<' does not begin a tag");
		move_to(reader, start);
		return 0;
	}
	is_split = !is_end && split_tag(reader, start, &end);
	if (!is_split)
		end = find_tag_end(start, reader->end);
	if (end == reader->end || *end != '>') {
		damage(reader, line, "tag truncated");
		move_to(reader, end);
		return 0;
	}
	move_to(reader, end + 1);
	if (is_end)
		return close_element(reader, start + 1, end, line);
	return open_element(reader, start, end, is_split, line);
}

static int read_all(struct reader *reader)
{
	while (reader->next < reader->end) {
		int rc = *reader->next == '<' ? read_tag(reader) : read_text(reader);

		if (rc < 0)
			return rc;
		if (reader->tag.restarts > RESTARTS_MAX) {
			damage(reader, reader->line,
			       "too many errors, ignoring the rest");
			break;
		}
	}
	return pop_unclosed(reader, 0);
}

const char *xml_attribute(const struct xml_element *element, const char *name)
{
	for (size_t i = 0; i < element->attribute_count; i++)
		if (xml_is_same(element->attributes[i].name, name))
			return element->attributes[i].value;
	return NULL;
}

static void release(struct reader *reader)
{
	for (size_t i = 0; i < DEPTH_MAX; i++)
		strbuf_release(&reader->stack[i].text);
	strbuf_release(&reader->clean);
	xml_tag_release(&reader->tag);
}

int xml_read(const void *bytes, size_t size, const struct xml_handler *handler,
	     void *context, struct expt_error *err)
{
	struct reader reader = {
		.handler = handler,
		.context = context,
		.begin = bytes,
		.next = bytes,
		.end = (const unsigned char *)bytes + size,
		.line = 1,
	};
	int rc;

	rc = read_all(&reader);
	release(&reader);
	if (rc == -ENOMEM)
		return expt_fail(err, rc, "cannot read XML");
	return rc;
}
