/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/xml/tag.h"

#include <errno.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/xml/escape.h"
#include "libexpt/xml/xml.h"

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlError *error_pointer;
#endif

/* ---- callbacks of libxml2 ---- */

static bool has_attribute(const struct xml_tag *tag, const char *name)
{
	for (size_t i = 0; i < tag->offsets.count; i++)
		if (strcmp(tag->values.text + tag->offsets.items[i].name, name) == 0)
			return true;
	return false;
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix,
		     const xmlChar *uri, int namespace_count, const xmlChar **namespaces,
		     int attribute_count, int defaulted_count, const xmlChar **attributes)
{
	struct xml_tag *tag = context;

	strbuf_clear(&tag->values);
	tag->offsets.count = 0;
	for (int i = 0; i < attribute_count; i++) {
		const xmlChar **attribute = attributes + 5 * i;
		struct xml_tag_offsets *new;

		if (tag->is_repeated && has_attribute(tag, (const char *)attribute[0]))
			continue; /* the first one counts */
		new = array_add(&tag->offsets);
		if (!new) {
			tag->is_out_of_memory = true;
			return;
		}
		new->name = tag->values.length;
		strbuf_add_text(&tag->values, (const char *)attribute[0]);
		strbuf_add_char(&tag->values, '\0');
		new->value = tag->values.length;
		xml_decode(&tag->values, attribute[3], attribute[4]);
		strbuf_add_char(&tag->values, '\0');
		if (tag->values.failed) {
			tag->is_out_of_memory = true;
			return;
		}
	}
	tag->is_complete = true;
}

static void on_error(void *context, error_pointer error)
{
	struct xml_tag *tag = context;

	if (error->code == XML_ERR_NO_MEMORY)
		tag->is_out_of_memory = true;
	/* libxml2 delivers both of two attributes with the same name, after this, and
	 * on_start() takes the first. */
	if (error->code == XML_ERR_ATTRIBUTE_REDEFINED)
		tag->is_repeated = true;
	if (error->code == XML_ERR_ATTRIBUTE_REDEFINED || *tag->problem)
		return;
	snprintf(tag->problem, sizeof(tag->problem), "%s",
		 error->message ? error->message : "cannot be parsed");
	tag->problem[strcspn(tag->problem, "\n")] = '\0';
}

static void say_nothing(void *context, const char *format, ...)
{
}

/* ---- the parser ---- */

/* When libxml2 has no memory for a parser, it calls only this thread's handler, which
 * writes to stderr unless it is replaced. */
static void silence(struct xml_tag *tag)
{
	if (tag->error_function)
		return;
	tag->error_function = xmlGenericError;
	tag->error_context = xmlGenericErrorContext;
	xmlSetGenericErrorFunc(NULL, say_nothing);
}

static bool start_parser(struct xml_tag *tag)
{
	static const char root[] = "<root>";
	xmlSAXHandler sax = {
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = on_start,
		.serror = on_error,
	};

	/* Only the first call has an effect. Without it, several threads might initialize
	 * libxml2 at the same time. */
	xmlInitParser();
	silence(tag);
	tag->parser = xmlCreatePushParserCtxt(&sax, tag, NULL, 0, NULL);
	if (!tag->parser)
		return false;
	xmlCtxtUseOptions(tag->parser, XML_PARSE_NONET | XML_PARSE_RECOVER);
	xmlParseChunk(tag->parser, root, sizeof(root) - 1, 0);
	return true;
}

static void stop_parser(struct xml_tag *tag)
{
	if (tag->parser && tag->parser->myDoc)
		xmlFreeDoc(tag->parser->myDoc);
	xmlFreeParserCtxt(tag->parser);
	tag->parser = NULL;
}

void xml_tag_release(struct xml_tag *tag)
{
	stop_parser(tag);
	strbuf_release(&tag->clean);
	strbuf_release(&tag->values);
	array_release(&tag->offsets);
	array_release(&tag->attributes);
	if (tag->error_function)
		xmlSetGenericErrorFunc(tag->error_context, tag->error_function);
}

/* ---- tags, cleaned ---- */

/* Check whether c is neither a quote nor to be escaped. */
static bool is_unquoted(unsigned char c)
{
	return c >= ' ' && c <= '~' && c != '"' && c != '\'';
}

size_t xml_tag_clean(struct xml_tag *tag, const unsigned char *text,
		     const unsigned char *end)
{
	struct strbuf *clean = &tag->clean;
	size_t attributes = 0;

	strbuf_clear(clean);
	strbuf_add_char(clean, '<');
	while (text < end) {
		const unsigned char *plain = text, *closing;

		for (; text < end && is_unquoted(*text); text++)
			attributes += *text == '=';
		strbuf_add(clean, plain, (size_t)(text - plain));
		if (text == end)
			break;
		if (*text != '"' && *text != '\'') {
			strbuf_add_char(clean, xml_is_blank(*text) ? ' ' : '?');
			text++;
			continue;
		}
		closing = memchr(text + 1, *text, (size_t)(end - text - 1));
		if (!closing)
			closing = end - 1; /* no closing quote: drop the last byte */
		strbuf_add_char(clean, '"');
		xml_clean(clean, text + 1, closing);
		strbuf_add_char(clean, '"');
		text = closing + 1;
	}
	strbuf_add_text(clean, "/>");
	return attributes;
}

/* ---- tags as recorders write them ---- */

/* Bytes are compared sixteen at a time: tags are most of a log. */
typedef unsigned char chunk __attribute__((vector_size(16)));

static bool is_plain_chunk(const unsigned char *text)
{
	uint64_t halves[2];
	chunk bytes, special;

	memcpy(&bytes, text, sizeof(bytes));
	special = (chunk)(bytes - ' ' > '~' - ' ') | (chunk)(bytes - '%' <= '\'' - '%') |
		  (chunk)((bytes | ('<' ^ '>')) == '>');
	memcpy(halves, &special, sizeof(halves));
	return (halves[0] | halves[1]) == 0;
}

const unsigned char *xml_tag_skip_plain(const unsigned char *text,
					const unsigned char *end)
{
	while (end - text >= (ptrdiff_t)sizeof(chunk) && is_plain_chunk(text))
		text += sizeof(chunk);
	while (text < end && *text >= ' ' && *text <= '~' && *text != '%' &&
	       *text != '&' && *text != '\'' && *text != '<' && *text != '>')
		text++;
	return text;
}

static const bool is_in_name[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true,
	['_'] = true,	      ['-'] = true,	    ['.'] = true,
};

/* Names with a colon, or that declare a namespace, are left to libxml2. */
static char *skip_name(char *text)
{
	if (!is_in_name[(unsigned char)*text] || (*text >= '-' && *text <= '9') ||
	    (*text == 'x' && strncmp(text, "xmlns", 5) == 0))
		return NULL;
	while (is_in_name[(unsigned char)*text])
		text++;
	return text;
}

static bool is_known(const struct xml_tag *tag, const char *name)
{
	for (size_t i = 0; i < tag->attributes.count; i++)
		if (xml_is_same(tag->attributes.items[i].name, name))
			return true;
	return false;
}

/* Split name="value". Returns its end, or NULL. */
static char *split_attribute(struct xml_tag *tag, char *name)
{
	char *end = skip_name(name), *value;
	struct expt_attribute *new;

	if (!end || end[0] != '=' || end[1] != '"')
		return NULL;
	*end = '\0';
	value = end + 2;
	end = strchr(value, '"');
	if (!end || (end[1] != ' ' && end[1] != '\0') || is_known(tag, name))
		return NULL;
	*end = '\0';
	new = array_add(&tag->attributes);
	if (!new)
		return NULL;
	*new = (struct expt_attribute){ .name = name, .value = value };
	return end + 1;
}

bool xml_tag_split(struct xml_tag *tag, const unsigned char *text,
		   const unsigned char *end)
{
	char *at;

	strbuf_clear(&tag->values);
	strbuf_add(&tag->values, text, (size_t)(end - text));
	if (tag->values.failed || text == end)
		return false;
	tag->attributes.count = 0;
	at = skip_name(tag->values.text);
	while (at && *at == ' ') {
		while (*at == ' ')
			at++;
		if (*at != '\0')
			at = split_attribute(tag, at);
	}
	return at && *at == '\0';
}

/* ---- any tags ---- */

static int fill_attributes(struct xml_tag *tag)
{
	tag->attributes.count = 0;
	for (size_t i = 0; i < tag->offsets.count; i++) {
		struct expt_attribute *new = array_add(&tag->attributes);

		if (!new)
			return -ENOMEM;
		new->name = tag->values.text + tag->offsets.items[i].name;
		new->value = tag->values.text + tag->offsets.items[i].value;
	}
	return 1;
}

int xml_tag_parse(struct xml_tag *tag)
{
	tag->is_complete = tag->is_repeated = false;
	tag->problem[0] = '\0';
	if (tag->clean.failed || (!tag->parser && !start_parser(tag)))
		return -ENOMEM;
	xmlParseChunk(tag->parser, strbuf_text(&tag->clean), (int)tag->clean.length, 0);
	if (tag->is_out_of_memory)
		return -ENOMEM;
	if (tag->is_complete && !*tag->problem)
		return fill_attributes(tag);
	stop_parser(tag);
	tag->restarts++;
	if (!*tag->problem)
		strcpy(tag->problem, "cannot be parsed");
	return 0;
}
