/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rust's older mangling: C++ names whose last identifier is a hash, with escapes for
 * characters that C++ does not allow. __cxa_demangle would show the hash and the escapes.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/strbuf.h"
#include "libexpt/names/demangle_rust.h"

#define HASH_LENGTH 17 /* 'h' and 16 hex digits */

struct identifier {
	const char *text;
	size_t length;
};

/* Get the <length><text> at *name, and move *name past it. */
static bool next_identifier(struct identifier *identifier, const char **name,
			    const char *whole_end)
{
	char *end;

	if (!isdigit((unsigned char)**name))
		return false;
	identifier->length = strtoul(*name, &end, 10);
	identifier->text = end;
	if (identifier->length > (size_t)(whole_end - end))
		return false;
	*name = end + identifier->length;
	return true;
}

/* A real hash has several different digits; h0000000000000000 may be a function's
 * name. */
static bool is_hash(const struct identifier *identifier)
{
	unsigned seen = 0;

	if (identifier->length != HASH_LENGTH || identifier->text[0] != 'h')
		return false;
	for (size_t i = 1; i < HASH_LENGTH; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = memchr(digits, identifier->text[i], 16);

		if (!digit)
			return false;
		seen |= 1u << (digit - digits);
	}
	return __builtin_popcount(seen) >= 5;
}

/* Add the character of the escape "$...$" at text and return its length; 0: not an
 * escape. */
static size_t add_escape(struct strbuf *out, const char *text, size_t length)
{
	static const struct {
		const char *escape;
		char character;
	} escapes[] = {
		{ "$SP$", '@' }, { "$BP$", '*' }, { "$RF$", '&' }, { "$LT$", '<' },
		{ "$GT$", '>' }, { "$LP$", '(' }, { "$RP$", ')' }, { "$C$", ',' },
	};
	char *end;
	long code;

	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		size_t size = strlen(escapes[i].escape);

		if (length >= size && memcmp(text, escapes[i].escape, size) == 0) {
			strbuf_add_char(out, escapes[i].character);
			return size;
		}
	}
	if (length < 5 || text[1] != 'u' || !isxdigit((unsigned char)text[2]))
		return 0;
	code = strtol(text + 2, &end, 16);
	if (*end != '$' || (size_t)(end - text) >= length || code < 0x20 || code > 0x7e)
		return 0;
	strbuf_add_char(out, (char)code);
	return (size_t)(end - text) + 1;
}

static void add_identifier(struct strbuf *out, const struct identifier *identifier)
{
	const char *text = identifier->text;
	size_t length = identifier->length;

	/* An identifier cannot begin with an escape, so Rust puts a '_' in front. */
	if (length > 1 && text[0] == '_' && text[1] == '$') {
		text++;
		length--;
	}
	while (length > 0) {
		size_t used = 1;

		if (*text == '$') {
			used = add_escape(out, text, length);
			if (used == 0) {
				strbuf_add(out, text, length);
				return;
			}
		} else if (length > 1 && text[0] == '.' && text[1] == '.') {
			strbuf_add_text(out, "::");
			used = 2;
		} else {
			strbuf_add_char(out, *text);
		}
		text += used;
		length -= used;
	}
}

char *demangle_rust(const char *name)
{
	struct strbuf out = STRBUF_INIT;
	struct identifier identifier = { 0 }, next;
	const char *end = name + strlen(name);
	bool is_rust = false;

	if (strncmp(name, "_ZN", 3) != 0)
		return NULL;
	name += 3;
	while (next_identifier(&next, &name, end)) {
		if (identifier.length > 0) {
			if (out.length > 0)
				strbuf_add_text(&out, "::");
			add_identifier(&out, &identifier);
		}
		identifier = next;
	}
	/* The optimizer may add a suffix after the end: ".llvm.1234". */
	is_rust = out.length > 0 && name[0] == 'E' && (!name[1] || name[1] == '.') &&
		  is_hash(&identifier);
	if (is_rust && !out.failed)
		return strbuf_steal(&out);
	strbuf_release(&out);
	return NULL;
}
