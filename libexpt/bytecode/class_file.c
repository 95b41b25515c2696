/* SPDX-License-Identifier: Apache-2.0 */

#include "libexpt/bytecode/class_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/bytecode/numbers.h"

#define MAGIC 0xcafebabe

/* Kinds of constants */
enum {
	UTF8 = 1,
	INTEGER = 3,
	FLOAT = 4,
	LONG = 5,
	DOUBLE = 6,
	CLASS = 7,
	STRING = 8,
	FIELD = 9,
	METHOD = 10,
	INTERFACE_METHOD = 11,
	NAME_AND_TYPE = 12,
	METHOD_HANDLE = 15,
	METHOD_TYPE = 16,
	DYNAMIC = 17,
	INVOKE_DYNAMIC = 18,
	MODULE = 19,
	PACKAGE = 20,
};

struct constant {
	unsigned char kind;	    /* 0: there is none */
	const unsigned char *bytes; /* after the kind */
};

struct class_file {
	struct constant *constants;
	unsigned constant_count, this_class;
	const unsigned char *methods, *end; /* methods: at their number */
};

/* ---- reading ---- */

/* The bytes left to be read. at is NULL once more were asked for than there are. */
struct reader {
	const unsigned char *at, *end;
};

static const unsigned char *take(struct reader *reader, size_t size)
{
	const unsigned char *at = reader->at;

	if (!at || (size_t)(reader->end - at) < size)
		return reader->at = NULL;
	reader->at += size;
	return at;
}

/* Returns 0 at the end as well. */
static unsigned take_u2(struct reader *reader)
{
	const unsigned char *bytes = take(reader, 2);

	return bytes ? u2(bytes) : 0;
}

static uint32_t take_u4(struct reader *reader)
{
	const unsigned char *bytes = take(reader, 4);

	return bytes ? u4(bytes) : 0;
}

/* ---- opening ---- */

/* Returns the size of a constant after its kind, without the text of UTF8; 0: there is no
 * such kind. */
static size_t size_of(unsigned kind)
{
	switch (kind) {
	case UTF8:
	case CLASS:
	case STRING:
	case METHOD_TYPE:
	case MODULE:
	case PACKAGE:
		return 2;
	case METHOD_HANDLE:
		return 3;
	case INTEGER:
	case FLOAT:
	case FIELD:
	case METHOD:
	case INTERFACE_METHOD:
	case NAME_AND_TYPE:
	case DYNAMIC:
	case INVOKE_DYNAMIC:
		return 4;
	case LONG:
	case DOUBLE:
		return 8;
	default:
		return 0;
	}
}

/* A constant of 8 bytes takes two numbers. */
static bool read_constants(struct class_file *file, struct reader *reader)
{
	for (unsigned i = 1; i < file->constant_count; i++) {
		const unsigned char *kind = take(reader, 1), *bytes;
		size_t size = kind ? size_of(*kind) : 0;

		bytes = size > 0 ? take(reader, size) : NULL;
		if (!bytes || (*kind == UTF8 && !take(reader, u2(bytes))))
			return false;
		file->constants[i] = (struct constant){ *kind, bytes };
		i += size == 8;
	}
	return true;
}

static void skip_attributes(struct reader *reader)
{
	for (unsigned left = take_u2(reader); reader->at && left > 0; left--) {
		take(reader, 2);
		take(reader, take_u4(reader));
	}
}

static int read_file(struct class_file *file, struct reader *reader)
{
	if (take_u4(reader) != MAGIC || !take(reader, 4))
		return -EINVAL;
	file->constant_count = take_u2(reader);
	file->constants = calloc(file->constant_count + 1, sizeof(*file->constants));
	if (!file->constants)
		return -ENOMEM;
	if (!read_constants(file, reader) || !take(reader, 2))
		return -EINVAL;
	file->this_class = take_u2(reader);
	take(reader, 2);
	take(reader, 2 * (size_t)take_u2(reader)); /* interfaces */
	for (unsigned left = take_u2(reader); reader->at && left > 0; left--) {
		take(reader, 6);
		skip_attributes(reader); /* of fields */
	}
	file->methods = reader->at;
	file->end = reader->end;
	return file->methods ? 0 : -EINVAL;
}

int class_file_open(struct class_file **out, const unsigned char *bytes, size_t size)
{
	struct reader reader = { bytes, bytes + size };
	struct class_file *file = calloc(1, sizeof(*file));
	int rc = file ? read_file(file, &reader) : -ENOMEM;

	if (rc < 0)
		class_file_close(file);
	else
		*out = file;
	return rc;
}

void class_file_close(struct class_file *file)
{
	if (file)
		free(file->constants);
	free(file);
}

/* ---- constants ---- */

/* Returns the bytes of a constant of this kind, or NULL. */
static const unsigned char *constant_of(const struct class_file *file, unsigned index,
					unsigned kind)
{
	if (index >= file->constant_count || file->constants[index].kind != kind)
		return NULL;
	return file->constants[index].bytes;
}

bool class_file_is_text(const struct class_file *file, unsigned index, const char *text)
{
	const unsigned char *bytes = constant_of(file, index, UTF8);
	size_t length = strlen(text);

	return bytes && u2(bytes) == length && memcmp(bytes + 2, text, length) == 0;
}

static void add_text(const struct class_file *file, unsigned index, struct strbuf *text)
{
	const unsigned char *bytes = constant_of(file, index, UTF8);

	if (bytes)
		strbuf_add(text, bytes + 2, u2(bytes));
}

static void add_escaped(struct strbuf *text, unsigned char byte)
{
	static const char escaped[] = "\b\f\n\r\t\"'\\", letters[] = "bfnrt\"'\\";
	const char *found = byte ? strchr(escaped, byte) : NULL;

	if (found)
		strbuf_printf(text, "\\%c", letters[found - escaped]);
	else if (byte < ' ' || byte == 0x7f)
		strbuf_printf(text, "\\u%04x", byte);
	else
		strbuf_add_char(text, (char)byte);
}

static void add_string(const struct class_file *file, unsigned index, struct strbuf *text)
{
	const unsigned char *bytes = constant_of(file, index, UTF8);

	for (unsigned i = 0; bytes && i < u2(bytes); i++)
		add_escaped(text, bytes[2 + i]);
}

/* Names of arrays, and those of constructors, are in quotes. */
static void add_name(const struct class_file *file, unsigned index, struct strbuf *text)
{
	const unsigned char *bytes = constant_of(file, index, UTF8);
	bool is_quoted = bytes && u2(bytes) > 0 && strchr("[<", bytes[2]);

	strbuf_add_text(text, is_quoted ? "\"" : "");
	add_text(file, index, text);
	strbuf_add_text(text, is_quoted ? "\"" : "");
}

static void add_class(const struct class_file *file, unsigned index, struct strbuf *text)
{
	const unsigned char *bytes = constant_of(file, index, CLASS);

	if (bytes)
		add_name(file, u2(bytes), text);
}

/* Add "sqrt:(D)D". */
static void add_name_and_type(const struct class_file *file, unsigned index,
			      struct strbuf *text)
{
	const unsigned char *bytes = constant_of(file, index, NAME_AND_TYPE);

	if (!bytes)
		return;
	add_name(file, u2(bytes), text);
	strbuf_add_char(text, ':');
	add_text(file, u2(bytes + 2), text);
}

/* The class is left out if it is this one. */
static void add_member(const struct class_file *file, const unsigned char *bytes,
		       struct strbuf *text)
{
	if (u2(bytes) != file->this_class) {
		add_class(file, u2(bytes), text);
		strbuf_add_char(text, '.');
	}
	add_name_and_type(file, u2(bytes + 2), text);
}

/* Add "1.5", "1.0E9" or "-Infinity": with as few digits as tell it from its neighbours.
 * javap has more of them for some. */
static void add_real(struct strbuf *text, double value, bool is_float)
{
	char buffer[40], *exponent;

	if (isnan(value) || isinf(value)) {
		strbuf_add_text(text, isnan(value) ? "NaN"
				      : value < 0  ? "-Infinity"
						   : "Infinity");
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
		if (is_float ? strtof(buffer, NULL) == (float)value
			     : strtod(buffer, NULL) == value)
			break;
	}
	exponent = strchr(buffer, 'e');
	if (exponent)
		*exponent = '\0';
	strbuf_printf(text, "%s%s", buffer, strchr(buffer, '.') ? "" : ".0");
	if (exponent)
		strbuf_printf(text, "E%ld", strtol(exponent + 1, NULL, 10));
}

static void add_float(const unsigned char *bytes, struct strbuf *text)
{
	uint32_t bits = u4(bytes);
	float value;

	memcpy(&value, &bits, sizeof(value));
	strbuf_add_text(text, "float ");
	add_real(text, (double)value, true);
	strbuf_add_char(text, 'f');
}

static void add_double(const unsigned char *bytes, struct strbuf *text)
{
	uint64_t bits = u8(bytes);
	double value;

	memcpy(&value, &bits, sizeof(value));
	strbuf_add_text(text, "double ");
	add_real(text, value, false);
	strbuf_add_char(text, 'd');
}

static void add_reference(const struct class_file *file, const struct constant *constant,
			  struct strbuf *text)
{
	const unsigned char *bytes = constant->bytes;

	switch (constant->kind) {
	case CLASS:
		strbuf_add_text(text, "class ");
		add_name(file, u2(bytes), text);
		break;
	case STRING:
		strbuf_add_text(text, "String ");
		add_string(file, u2(bytes), text);
		break;
	case FIELD:
		strbuf_add_text(text, "Field ");
		add_member(file, bytes, text);
		break;
	case METHOD:
		strbuf_add_text(text, "Method ");
		add_member(file, bytes, text);
		break;
	case INTERFACE_METHOD:
		strbuf_add_text(text, "InterfaceMethod ");
		add_member(file, bytes, text);
		break;
	case METHOD_TYPE:
		strbuf_add_text(text, "MethodType ");
		add_text(file, u2(bytes), text);
		break;
	case DYNAMIC:
	case INVOKE_DYNAMIC:
		strbuf_printf(text, "%s #%u:",
			      constant->kind == DYNAMIC ? "Dynamic" : "InvokeDynamic",
			      u2(bytes));
		add_name_and_type(file, u2(bytes + 2), text);
		break;
	default:
		break;
	}
}

void class_file_add_constant(const struct class_file *file, unsigned index,
			     struct strbuf *text)
{
	const struct constant *constant;

	if (index == 0 || index >= file->constant_count)
		return;
	constant = &file->constants[index];
	switch (constant->kind) {
	case INTEGER:
		strbuf_printf(text, "int %" PRId32, (int32_t)u4(constant->bytes));
		break;
	case LONG:
		strbuf_printf(text, "long %" PRId64 "l", (int64_t)u8(constant->bytes));
		break;
	case FLOAT:
		add_float(constant->bytes, text);
		break;
	case DOUBLE:
		add_double(constant->bytes, text);
		break;
	default:
		add_reference(file, constant, text);
		break;
	}
}

/* ---- methods ---- */

/* Read the attributes of a method: its code, if that is among them. */
static bool read_code(const struct class_file *file, struct reader *reader,
		      struct class_code *code)
{
	bool has_code = false;

	for (unsigned left = take_u2(reader); reader->at && left > 0; left--) {
		unsigned name = take_u2(reader);
		uint32_t size = take_u4(reader), length;
		const unsigned char *bytes = take(reader, size);

		if (!bytes || !class_file_is_text(file, name, "Code") || size < 8)
			continue;
		length = u4(bytes + 4); /* after the sizes of stack and locals */
		if (length > size - 8)
			continue;
		*code = (struct class_code){ bytes + 8, length, bytes + 8 + length,
					     size - 8 - length };
		has_code = true;
	}
	return has_code;
}

bool class_file_code(const struct class_file *file, const char *name,
		     const char *signature, struct class_code *code)
{
	struct reader reader = { file->methods, file->end };

	for (unsigned left = take_u2(&reader); reader.at && left > 0; left--) {
		const unsigned char *head = take(&reader, 6);
		struct class_code found;
		bool has_code = head && read_code(file, &reader, &found);

		if (!has_code || !class_file_is_text(file, u2(head + 2), name) ||
		    !class_file_is_text(file, u2(head + 4), signature))
			continue;
		*code = found;
		return true;
	}
	return false;
}
