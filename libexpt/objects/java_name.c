/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/objects/java_name.h"

#include <string.h>

void java_name_add_class(struct strbuf *name, const char *path, size_t length)
{
	for (size_t i = 0; i < length; i++)
		strbuf_add_char(name, path[i] == '/' ? '.' : path[i]);
}

static const char *primitive_name(char code)
{
	static const struct {
		char code;
		const char *name;
	} types[] = {
		{ 'B', "byte" }, { 'C', "char" }, { 'D', "double" }, { 'F', "float" },
		{ 'I', "int" },	 { 'J', "long" }, { 'S', "short" },  { 'Z', "boolean" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].code == code)
			return types[i].name;
	return NULL;
}

/* Add a type and return the text after it; NULL: it is malformed. */
static const char *add_type(struct strbuf *name, const char *type)
{
	size_t dimensions = strspn(type, "[");
	const char *primitive, *end;

	type += dimensions;
	primitive = primitive_name(*type);
	end = *type == 'L' ? strchr(type, ';') : type;
	if (!end || (!primitive && *type != 'L'))
		return NULL;
	if (primitive)
		strbuf_add_text(name, primitive);
	else
		java_name_add_class(name, type + 1, (size_t)(end - type - 1));
	while (dimensions-- > 0)
		strbuf_add_text(name, "[]");
	return end + 1;
}

void java_name_add_arguments(struct strbuf *name, const char *signature)
{
	cleanup_strbuf struct strbuf arguments = STRBUF_INIT;
	const char *next = signature + 1;

	if (*signature != '(')
		return;
	while (next && *next != ')') {
		if (next != signature + 1)
			strbuf_add_text(&arguments, ", ");
		next = add_type(&arguments, next);
	}
	if (next)
		strbuf_printf(name, "(%s)", strbuf_text(&arguments));
}
