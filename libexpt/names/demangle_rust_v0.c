/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rust's newer mangling (RFC 2603). A name is a tree of paths, types and constants, each
 * with a letter in front, which may refer back to earlier parts. Hashes of crates are not
 * shown, as usual.
 */
#include "libexpt/names/demangle_rust_v0.h"

#include <inttypes.h>
#include <string.h>

#include "libexpt/names/rust_constant.h"
#include "libexpt/names/rust_parser.h"

static void add_path(struct rust_parser *parser, bool is_value);
static void add_type(struct rust_parser *parser);

/* ---- lifetimes --------------------------------------------------------------------- */

static void add_lifetime(struct rust_parser *parser, uint64_t index)
{
	uint64_t depth = parser->lifetimes - index;

	if (index > parser->lifetimes)
		rust_fail(parser);
	else if (index == 0)
		rust_add(parser, "'_");
	else if (depth < 26)
		rust_add(parser, "'%c", (int)('a' + depth));
	else
		rust_add(parser, "'_%" PRIu64, depth);
}

#define LIFETIMES_MAX 256

/* Add "for<'a, 'b> ". Returns how many lifetimes are bound. */
static uint64_t bind_lifetimes(struct rust_parser *parser)
{
	uint64_t count = rust_take_optional(parser, 'G');

	if (count > LIFETIMES_MAX)
		rust_fail(parser);
	for (uint64_t i = 0; i < count && !parser->has_failed; i++) {
		rust_add(parser, i == 0 ? "for<" : ", ");
		parser->lifetimes++;
		add_lifetime(parser, 1);
	}
	if (count > 0)
		rust_add(parser, "> ");
	return count;
}

/* ---- types ------------------------------------------------------------------------- */

static const char *basic_type(char tag)
{
	static const char *const types[] = {
		['a' - 'a'] = "i8",   ['b' - 'a'] = "bool",  ['c' - 'a'] = "char",
		['d' - 'a'] = "f64",  ['e' - 'a'] = "str",   ['f' - 'a'] = "f32",
		['h' - 'a'] = "u8",   ['i' - 'a'] = "isize", ['j' - 'a'] = "usize",
		['l' - 'a'] = "i32",  ['m' - 'a'] = "u32",   ['n' - 'a'] = "i128",
		['o' - 'a'] = "u128", ['p' - 'a'] = "_",     ['s' - 'a'] = "i16",
		['t' - 'a'] = "u16",  ['u' - 'a'] = "()",    ['v' - 'a'] = "...",
		['x' - 'a'] = "i64",  ['y' - 'a'] = "u64",   ['z' - 'a'] = "!",
	};

	return tag >= 'a' && tag <= 'z' ? types[tag - 'a'] : NULL;
}

/* Add all up to 'E'. Returns how many there were. */
static size_t add_list(struct rust_parser *parser, const char *separator,
		       void (*add_one)(struct rust_parser *parser))
{
	size_t count = 0;

	for (; !parser->has_failed && !rust_take_if(parser, 'E'); count++) {
		if (count > 0)
			rust_add(parser, "%s", separator);
		add_one(parser);
	}
	return count;
}

static void add_argument(struct rust_parser *parser)
{
	if (rust_take_if(parser, 'L'))
		add_lifetime(parser, rust_take_number(parser));
	else if (rust_take_if(parser, 'K'))
		rust_add_constant(parser);
	else
		add_type(parser);
}

static void add_reference(struct rust_parser *parser, bool is_mutable)
{
	uint64_t lifetime = rust_take_if(parser, 'L') ? rust_take_number(parser) : 0;

	rust_add(parser, "&");
	if (lifetime) {
		add_lifetime(parser, lifetime);
		rust_add(parser, " ");
	}
	if (is_mutable)
		rust_add(parser, "mut ");
	add_type(parser);
}

static void add_array(struct rust_parser *parser, bool has_length)
{
	rust_add(parser, "[");
	add_type(parser);
	if (has_length) {
		rust_add(parser, "; ");
		rust_add_constant(parser);
	}
	rust_add(parser, "]");
}

static void add_tuple(struct rust_parser *parser)
{
	rust_add(parser, "(");
	rust_add(parser, "%s", add_list(parser, ", ", add_type) == 1 ? ",)" : ")");
}

/* Add "extern "C" "; names of others have '_' for '-'. */
static void add_convention(struct rust_parser *parser)
{
	struct rust_identifier name = { .text = "C", .length = 1 };

	if (!rust_take_if(parser, 'C'))
		rust_take_identifier(parser, &name);
	rust_add(parser, "extern \"");
	for (size_t i = 0; i < name.length; i++)
		rust_add(parser, "%c", name.text[i] == '_' ? '-' : name.text[i]);
	rust_add(parser, "\" ");
}

static void add_function_type(struct rust_parser *parser)
{
	uint64_t count = bind_lifetimes(parser);

	if (rust_take_if(parser, 'U'))
		rust_add(parser, "unsafe ");
	if (rust_take_if(parser, 'K'))
		add_convention(parser);
	rust_add(parser, "fn(");
	add_list(parser, ", ", add_type);
	rust_add(parser, ")");
	if (!rust_take_if(parser, 'u')) {
		rust_add(parser, " -> ");
		add_type(parser);
	}
	parser->lifetimes -= count;
}

/* Add a trait without the '>' at its end. Returns whether one is missing. */
static bool add_open_trait(struct rust_parser *parser)
{
	bool is_open = false;
	size_t back;

	if (!rust_enter(parser))
		return false;
	if (rust_take_if(parser, 'B')) {
		if (rust_follow(parser, &back))
			is_open = add_open_trait(parser);
		parser->next = back;
	} else if (rust_take_if(parser, 'I')) {
		add_path(parser, false);
		rust_add(parser, "<");
		add_list(parser, ", ", add_argument);
		is_open = true;
	} else {
		add_path(parser, false);
	}
	rust_leave(parser);
	return is_open;
}

static void add_bound(struct rust_parser *parser)
{
	bool is_open = add_open_trait(parser);
	struct rust_identifier name;

	while (rust_take_if(parser, 'p')) {
		rust_take_identifier(parser, &name);
		rust_add(parser, is_open ? ", " : "<");
		rust_add_identifier(parser, &name);
		rust_add(parser, " = ");
		add_type(parser);
		is_open = true;
	}
	if (is_open)
		rust_add(parser, ">");
}

static void add_dynamic(struct rust_parser *parser)
{
	uint64_t count, lifetime;

	rust_add(parser, "dyn ");
	count = bind_lifetimes(parser);
	add_list(parser, " + ", add_bound);
	parser->lifetimes -= count;
	if (!rust_take_if(parser, 'L'))
		rust_fail(parser);
	lifetime = rust_take_number(parser);
	if (lifetime) {
		rust_add(parser, " + ");
		add_lifetime(parser, lifetime);
	}
}

static void add_tagged_type(struct rust_parser *parser, char tag)
{
	size_t back;

	switch (tag) {
	case 'R':
	case 'Q':
		add_reference(parser, tag == 'Q');
		break;
	case 'P':
	case 'O':
		rust_add(parser, tag == 'P' ? "*const " : "*mut ");
		add_type(parser);
		break;
	case 'A':
	case 'S':
		add_array(parser, tag == 'A');
		break;
	case 'T':
		add_tuple(parser);
		break;
	case 'F':
		add_function_type(parser);
		break;
	case 'D':
		add_dynamic(parser);
		break;
	case 'B':
		if (rust_follow(parser, &back))
			add_type(parser);
		parser->next = back;
		break;
	default:
		parser->next -= tag != '\0';
		add_path(parser, false);
	}
}

static void add_type(struct rust_parser *parser)
{
	const char *basic;
	char tag;

	if (!rust_enter(parser))
		return;
	tag = rust_take(parser);
	basic = basic_type(tag);
	if (basic)
		rust_add(parser, "%s", basic);
	else
		add_tagged_type(parser, tag);
	rust_leave(parser);
}

/* ---- paths ------------------------------------------------------------------------- */

/* Add a path with one more name, or "{closure#1}". */
static void add_nested(struct rust_parser *parser, bool is_value)
{
	struct rust_identifier name;
	char space = rust_take(parser);
	uint64_t number;

	add_path(parser, is_value);
	number = rust_take_optional(parser, 's');
	rust_take_identifier(parser, &name);
	if (space < 'A' || space > 'Z') {
		if (space < 'a' || space > 'z')
			rust_fail(parser);
		if (name.length > 0 || name.punycode)
			rust_add(parser, "::");
		rust_add_identifier(parser, &name);
		return;
	}
	if (space == 'C' || space == 'S')
		rust_add(parser, "::{%s", space == 'C' ? "closure" : "shim");
	else
		rust_add(parser, "::{%c", space);
	if (name.length > 0 || name.punycode)
		rust_add(parser, ":");
	rust_add_identifier(parser, &name);
	rust_add(parser, "#%" PRIu64 "}", number);
}

/* The place of an implementation is not shown. */
static void skip_place(struct rust_parser *parser)
{
	parser->silent++;
	rust_take_optional(parser, 's');
	add_path(parser, false);
	parser->silent--;
}

static void add_tagged_path(struct rust_parser *parser, char tag, bool is_value)
{
	struct rust_identifier name;
	size_t back;

	switch (tag) {
	case 'C':
		rust_take_optional(parser, 's');
		rust_take_identifier(parser, &name);
		rust_add_identifier(parser, &name);
		break;
	case 'N':
		add_nested(parser, is_value);
		break;
	case 'M':
	case 'X':
	case 'Y':
		if (tag != 'Y')
			skip_place(parser);
		rust_add(parser, "<");
		add_type(parser);
		if (tag != 'M') {
			rust_add(parser, " as ");
			add_path(parser, false);
		}
		rust_add(parser, ">");
		break;
	case 'I':
		add_path(parser, is_value);
		rust_add(parser, is_value ? "::<" : "<");
		add_list(parser, ", ", add_argument);
		rust_add(parser, ">");
		break;
	case 'B':
		if (rust_follow(parser, &back))
			add_path(parser, is_value);
		parser->next = back;
		break;
	default:
		rust_fail(parser);
	}
}

static void add_path(struct rust_parser *parser, bool is_value)
{
	if (rust_enter(parser))
		add_tagged_path(parser, rust_take(parser), is_value);
	rust_leave(parser);
}

/* ---- names ------------------------------------------------------------------------- */

char *demangle_rust_v0(const char *name)
{
	struct rust_parser parser = { .text = name + 2 };
	char end;

	if (name[0] != '_' || name[1] != 'R' || name[2] < 'A' || name[2] > 'Z')
		return NULL;
	parser.length = strlen(parser.text);
	add_path(&parser, true);
	end = parser.text[parser.next];
	if (end >= 'A' && end <= 'Z') { /* the crate that needed this instance */
		parser.silent++;
		add_path(&parser, false);
		end = parser.text[parser.next];
	}
	/* The optimizer may add a suffix: ".llvm.1234". */
	if (!parser.has_failed && (!end || end == '.' || end == '$') &&
	    !parser.out.failed)
		return strbuf_steal(&parser.out);
	strbuf_release(&parser.out);
	return NULL;
}
