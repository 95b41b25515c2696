/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logs and maps are no documents: they have no root, NULs stand between the elements, some writers
 * close what they did not open, and a crash cuts them anywhere. So this file finds the tags and keeps
 * the nesting itself, bounded, and libxml2 parses each start tag by itself, as an empty element below
 * a root that never ends. After an error libxml2 starts afresh with the next tag, and nothing but the
 * bad tag is lost.
 */
#include "libexpt/xml.h"

#include <errno.h>
#include <libxml/parser.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/error.h"
#include "libexpt/xml_escape.h"

#define DEPTH_MAX      32	  /* real logs have five levels */
#define NAME_LENGTH    63	  /* of an element */
#define TAG_LENGTH     (4u << 20) /* the arguments of an exec are an attribute */
#define TEXT_LENGTH    (4u << 20)
#define ATTRIBUTES_MAX 128 /* libxml2 compares each with each */
#define RESTARTS_MAX   1000

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlError *error_pointer;
#endif

struct open_element {
	char name[NAME_LENGTH + 1];
	unsigned line;
	struct strbuf text;
};

/* Where a decoded name or value begins in the buffer of values. */
struct attribute_offsets {
	size_t name, value;
};

struct reader {
	const struct xml_handler *handler;
	void *context;
	const unsigned char *next, *end;
	unsigned line;

	struct open_element stack[DEPTH_MAX];
	unsigned depth;
	size_t too_deep; /* open elements beyond the stack */

	xmlParserCtxtPtr parser;
	unsigned restarts;
	struct strbuf clean;  /* what libxml2 gets */
	struct strbuf values; /* what it made of it, decoded */
	struct {
		struct attribute_offsets *items;
		size_t count, capacity;
	} offsets;
	struct {
		struct expt_attribute *items;
		size_t count, capacity;
	} attributes;
	char problem[160]; /* of libxml2 with this tag, or "" */
	bool is_complete;  /* libxml2 delivered the tag */
	bool is_out_of_memory;
};

static void damage(struct reader *reader, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void damage(struct reader *reader, unsigned line, const char *format, ...)
{
	char what[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	for (char *c = what; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	reader->handler->damage(reader->context, line, what);
}

/* ---- libxml2 ----------------------------------------------------------------------- */

static bool has_attribute(const struct reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->offsets.count; i++)
		if (strcmp(reader->values.text + reader->offsets.items[i].name, name) == 0)
			return true;
	return false;
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix,
		     const xmlChar *uri, int namespace_count, const xmlChar **namespaces,
		     int attribute_count, int defaulted_count, const xmlChar **attributes)
{
	struct reader *reader = context;

	strbuf_clear(&reader->values);
	reader->offsets.count = 0;
	for (int i = 0; i < attribute_count; i++) {
		const xmlChar **attribute = attributes + 5 * i;
		struct attribute_offsets *new;

		if (has_attribute(reader, (const char *)attribute[0]))
			continue; /* the first one counts */
		new = array_add(&reader->offsets);
		if (!new) {
			reader->is_out_of_memory = true;
			return;
		}
		new->name = reader->values.length;
		strbuf_add_text(&reader->values, (const char *)attribute[0]);
		strbuf_add_char(&reader->values, '\0');
		new->value = reader->values.length;
		xml_decode(&reader->values, attribute[3], attribute[4]);
		strbuf_add_char(&reader->values, '\0');
		if (reader->values.failed) {
			reader->is_out_of_memory = true;
			return;
		}
	}
	reader->is_complete = true;
}

static void on_error(void *context, error_pointer error)
{
	struct reader *reader = context;

	if (error->code == XML_ERR_NO_MEMORY)
		reader->is_out_of_memory = true;
	/* Of two attributes with a name libxml2 delivers both, and on_start() takes the first. */
	if (error->code == XML_ERR_ATTRIBUTE_REDEFINED || *reader->problem)
		return;
	snprintf(reader->problem, sizeof reader->problem, "%s",
		 error->message ? error->message : "not understood");
	reader->problem[strcspn(reader->problem, "\n")] = '\0';
}

static bool start_parser(struct reader *reader)
{
	static const char root[] = "<root>";
	xmlSAXHandler sax = {
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = on_start,
		.serror = on_error,
	};

	/* Does nothing but once; what is not set up here, several threads would at the same time. */
	xmlInitParser();
	reader->parser = xmlCreatePushParserCtxt(&sax, reader, NULL, 0, NULL);
	if (!reader->parser)
		return false;
	xmlCtxtUseOptions(reader->parser, XML_PARSE_NONET | XML_PARSE_RECOVER);
	xmlParseChunk(reader->parser, root, sizeof root - 1, 0);
	return true;
}

static void stop_parser(struct reader *reader)
{
	if (reader->parser && reader->parser->myDoc)
		xmlFreeDoc(reader->parser->myDoc);
	xmlFreeParserCtxt(reader->parser);
	reader->parser = NULL;
}

/* Hand the clean tag to libxml2: false if it was not understood. */
static bool parse_tag(struct reader *reader)
{
	reader->is_complete = false;
	reader->problem[0] = '\0';
	if (!reader->parser && !start_parser(reader)) {
		reader->is_out_of_memory = true;
		return false;
	}
	xmlParseChunk(reader->parser, strbuf_text(&reader->clean),
		      (int)reader->clean.length, 0);
	if (reader->is_complete && !*reader->problem)
		return true;
	stop_parser(reader);
	reader->restarts++;
	return false;
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
	};

	reader->attributes.count = 0;
	for (size_t i = 0; i < reader->offsets.count; i++) {
		struct expt_attribute *new = array_add(&reader->attributes);

		if (!new)
			return -ENOMEM;
		new->name = reader->values.text + reader->offsets.items[i].name;
		new->value = reader->values.text + reader->offsets.items[i].value;
	}
	element.attributes = reader->attributes.items;
	element.attribute_count = reader->attributes.count;
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

/* Close what is still open above the level depth. */
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

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
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

/* The element name at text; false if there is none or it is longer than any that we know. */
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
	while (reader->next < place)
		reader->line += *reader->next++ == '\n';
}

/* The '>' that ends the tag at text, or where the tag is cut off: at a '<', a NUL or the end. */
static const unsigned char *find_tag_end(const unsigned char *text, const unsigned char *end)
{
	unsigned char quote = 0;

	for (; text < end && *text != '<' && *text != '\0'; text++) {
		if (quote)
			quote = *text == quote ? 0 : quote;
		else if (*text == '"' || *text == '\'')
			quote = *text;
		else if (*text == '>')
			break;
	}
	return text;
}

/* The tag as an empty element of plain ASCII in reader->clean; its number of attributes, or of what
 * looks like some. */
static size_t clean_tag(struct reader *reader, const unsigned char *text,
			const unsigned char *end)
{
	struct strbuf *clean = &reader->clean;
	size_t attributes = 0;

	strbuf_clear(clean);
	strbuf_add_char(clean, '<');
	while (text < end) {
		const unsigned char *closing;

		if (*text != '"' && *text != '\'') {
			attributes += *text == '=';
			strbuf_add_char(clean, is_blank(*text)		    ? ' '
					       : *text < ' ' || *text > '~' ? '?'
									    : (char)*text);
			text++;
			continue;
		}
		closing = memchr(text + 1, *text, (size_t)(end - text - 1));
		if (!closing)
			closing = end - 1; /* libxml2 will complain of what is left */
		strbuf_add_char(clean, '"');
		xml_clean(clean, text + 1, closing);
		strbuf_add_char(clean, '"');
		text = closing + 1;
	}
	strbuf_add_text(clean, "/>");
	return attributes;
}

static int open_element(struct reader *reader, const unsigned char *text,
			const unsigned char *end, unsigned line)
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
	if (clean_tag(reader, text, is_empty ? end - 1 : end) > ATTRIBUTES_MAX) {
		damage(reader, line, "too many attributes of element '%s'", name);
		return 0;
	}
	if (!parse_tag(reader)) {
		if (!reader->is_out_of_memory)
			damage(reader, line, "element '%s': %s", name,
			       *reader->problem ? reader->problem : "not understood");
		return 0;
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
		damage(reader, line, "end tag '%s' without its element", name);
		return 0;
	}
	rc = pop_unclosed(reader, depth);
	return rc < 0 ? rc : pop(reader);
}

/* ---- the sequence of tags and text -------------------------------------------------- */

static void read_text(struct reader *reader)
{
	size_t left = (size_t)(reader->end - reader->next);
	const unsigned char *start = reader->next, *end = memchr(start, '<', left);
	struct strbuf *text;

	if (!end)
		end = reader->end;
	while (start < end && is_blank(*start))
		start++;
	if (start < end && reader->depth == 0) {
		move_to(reader, start);
		damage(reader, reader->line, "text outside of elements");
	} else if (start < end && !reader->too_deep) {
		text = &reader->stack[reader->depth - 1].text;
		if (text->length + (size_t)(end - reader->next) > TEXT_LENGTH) {
			damage(reader, reader->line, "text too long");
		} else {
			strbuf_clear(&reader->clean);
			xml_clean(&reader->clean, reader->next, end);
			xml_decode(text, (const unsigned char *)strbuf_text(&reader->clean),
				   (const unsigned char *)strbuf_text(&reader->clean) +
					   reader->clean.length);
		}
	}
	move_to(reader, end);
}

/* A comment, declaration or processing instruction: dropped, wherever it stands. */
static void skip_declaration(struct reader *reader)
{
	size_t left = (size_t)(reader->end - reader->next);
	const unsigned char *end;
	const char *closing = ">";

	if (left >= 4 && memcmp(reader->next, "<!--", 4) == 0)
		closing = "-->";
	end = memmem(reader->next, left, closing, strlen(closing));
	if (!end) {
		damage(reader, reader->line, "declaration cut off");
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
	bool is_end = start < reader->end && *start == '/';

	if (start < reader->end && (*start == '?' || *start == '!')) {
		skip_declaration(reader);
		return 0;
	}
	if (start == reader->end || (!is_end && !is_name_start(*start))) {
		damage(reader, line, "'<' that begins no tag");
		move_to(reader, start);
		return 0;
	}
	end = find_tag_end(start, reader->end);
	if (end == reader->end || *end != '>') {
		damage(reader, line, "tag cut off");
		move_to(reader, end);
		return 0;
	}
	move_to(reader, end + 1);
	if (is_end)
		return close_element(reader, start + 1, end, line);
	return open_element(reader, start, end, line);
}

static int read_all(struct reader *reader)
{
	while (reader->next < reader->end) {
		int rc = 0;

		if (*reader->next == '<')
			rc = read_tag(reader);
		else
			read_text(reader);
		if (rc < 0)
			return rc;
		if (reader->is_out_of_memory || reader->clean.failed ||
		    reader->values.failed)
			return -ENOMEM;
		if (reader->restarts > RESTARTS_MAX) {
			damage(reader, reader->line,
			       "too many errors, the rest is not read");
			break;
		}
	}
	return pop_unclosed(reader, 0);
}

const char *xml_attribute(const struct xml_element *element, const char *name)
{
	for (size_t i = 0; i < element->attribute_count; i++)
		if (strcmp(element->attributes[i].name, name) == 0)
			return element->attributes[i].value;
	return NULL;
}

static void release(struct reader *reader)
{
	stop_parser(reader);
	for (size_t i = 0; i < DEPTH_MAX; i++)
		strbuf_release(&reader->stack[i].text);
	strbuf_release(&reader->clean);
	strbuf_release(&reader->values);
	array_release(&reader->offsets);
	array_release(&reader->attributes);
}

static void say_nothing(void *context, const char *format, ...)
{
}

/* Without memory for a parser libxml2 has nobody to tell but this thread's handler, which writes to
 * stderr unless it is replaced. */
static int read_quietly(struct reader *reader)
{
	xmlGenericErrorFunc function = xmlGenericError;
	void *context = xmlGenericErrorContext;
	int rc;

	xmlSetGenericErrorFunc(NULL, say_nothing);
	rc = read_all(reader);
	xmlSetGenericErrorFunc(context, function);
	return rc;
}

int xml_read(const void *bytes, size_t size, const struct xml_handler *handler,
	     void *context, struct expt_error *err)
{
	struct reader reader = {
		.handler = handler,
		.context = context,
		.next = bytes,
		.end = (const unsigned char *)bytes + size,
		.line = 1,
	};
	int rc = size ? read_quietly(&reader) : 0;

	release(&reader);
	if (rc == -ENOMEM)
		return expt_fail(err, rc, "cannot read XML");
	return rc;
}
