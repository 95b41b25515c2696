/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/accesses/step/descriptor.h"

#include <stdio.h>
#include <string.h>

/* Returns the last part of a name with name spaces and arguments of templates: "map" of
 * "std::map<int,_std::less<int>_>", which is changed. */
static const char *last_part(char *name)
{
	char *to = name, *start = name;
	int depth = 0;

	if (*name == '<' || *name == '{')
		return name;
	for (const char *from = name; *from; from++) {
		depth += *from == '<';
		if (depth == 0)
			*to++ = *from;
		depth -= *from == '>' && depth > 0;
	}
	*to = '\0';
	for (char *at = strstr(start, "::"); at; at = strstr(start, "::"))
		start = at + 2;
	return start;
}

/* Skip the modifiers of a type. */
static char *skip_modifiers(struct element *element, char *type)
{
	for (;;) {
		size_t length = strspn(type, "abcdefghijklmnopqrstuvwxyz_");

		if (type[length] != '+')
			return type;
		if (strncmp(type, "pointer", length) == 0 ||
		    strncmp(type, "reference", length) == 0 ||
		    strncmp(type, "rvalue_reference", length) == 0)
			element->is_pointer = true;
		type += length + 1;
	}
}

static bool parse_element(struct element *element, char *text)
{
	static const char *const kinds[] = { "structure:", "union:", "class:" };
	char *name = strchr(text, ' ');
	char *type;

	*element = (struct element){ .name = "" };
	if (name) {
		*name++ = '\0';
		if (*name == '\0' || strchr(name, ' '))
			return false;
		if (strcmp(name, "-") != 0)
			element->name = last_part(name);
	}
	type = skip_modifiers(element, text);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strncmp(type, kinds[i], strlen(kinds[i])) == 0) {
			type += strlen(kinds[i]);
			element->is_aggregate = !element->is_pointer;
			break;
		}
	}
	element->word = last_part(type);
	/* A scalar has a name, if only "-". */
	return *type && (element->is_aggregate || name);
}

bool descriptor_parse(struct descriptor *descriptor, const char *text)
{
	char *at = descriptor->text;
	char *end;

	descriptor->count = 0;
	if (strlen(text) >= sizeof(descriptor->text) || *text != '{')
		return false;
	strcpy(at, text + 1);
	end = at + strlen(at) - 1;
	if (end < at || *end != '}')
		return false;
	*end = '\0';
	for (char *next; at; at = next) {
		struct element *element = &descriptor->elements[descriptor->count];

		next = strstr(at, "}.{");
		if (next) {
			*next = '\0';
			next += strlen("}.{");
		}
		if (descriptor->count == ELEMENTS_MAX || !parse_element(element, at))
			return false;
		if (descriptor->count == 0 || *element->name)
			descriptor->count++;
	}
	return true;
}

size_t scalar_size(const char *word, char *kind)
{
	static const struct {
		const char *name;
		size_t size;
		char kind;
	} all[] = {
		{ "char", 1, 'c' },
		{ "signed_char", 1, 'c' },
		{ "unsigned_char", 1, 'c' },
		{ "u8", 1, 'c' },
		{ "i8", 1, 'c' },
		{ "uint8_t", 1, 'c' },
		{ "int8_t", 1, 'c' },
		{ "_Bool", 1, 'i' },
		{ "bool", 1, 'i' },
		{ "character(kind=1)", 1, 'c' },
		{ "short", 2, 'i' },
		{ "short_int", 2, 'i' },
		{ "short_unsigned_int", 2, 'i' },
		{ "unsigned_short", 2, 'i' },
		{ "u16", 2, 'i' },
		{ "i16", 2, 'i' },
		{ "int", 4, 'i' },
		{ "unsigned_int", 4, 'i' },
		{ "uint32_t", 4, 'i' },
		{ "int32_t", 4, 'i' },
		{ "u32", 4, 'i' },
		{ "i32", 4, 'i' },
		{ "integer(kind=4)", 4, 'i' },
		{ "logical(kind=4)", 4, 'i' },
		{ "long", 8, 'i' },
		{ "long_int", 8, 'i' },
		{ "unsigned_long", 8, 'i' },
		{ "long_unsigned_int", 8, 'i' },
		{ "long_long_int", 8, 'i' },
		{ "long_long_unsigned_int", 8, 'i' },
		{ "uint64_t", 8, 'i' },
		{ "int64_t", 8, 'i' },
		{ "size_t", 8, 'i' },
		{ "u64", 8, 'i' },
		{ "i64", 8, 'i' },
		{ "usize", 8, 'i' },
		{ "isize", 8, 'i' },
		{ "integer(kind=8)", 8, 'i' },
		{ "pointer", 8, 'p' },
		{ "float", 4, 'f' },
		{ "f32", 4, 'f' },
		{ "real(kind=4)", 4, 'f' },
		{ "double", 8, 'f' },
		{ "f64", 8, 'f' },
		{ "real(kind=8)", 8, 'f' },
		{ "complex(kind=8)", 16, 'f' },
		{ "complex(kind=4)", 8, 'f' },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (strcmp(word, all[i].name) == 0) {
			*kind = all[i].kind;
			return all[i].size;
		}
	}
	*kind = '\0';
	return 0;
}
