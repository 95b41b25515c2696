/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class files of Java: the code of methods, and the constants that it refers to. Source:
 * The Java Virtual Machine Specification, chapter 4. Bytes of any kind may be given.
 */
#ifndef LIBEXPT_BYTECODE_CLASS_FILE_H
#define LIBEXPT_BYTECODE_CLASS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/base/strbuf.h"

struct class_file;

/* The bytes are the caller's, and are needed until the end. Returns 0, -ENOMEM, or
 * -EINVAL: they are no class file, or it is damaged. */
int class_file_open(struct class_file **out, const unsigned char *bytes, size_t size);
void class_file_close(struct class_file *file);

/* The code of a method by its name and signature, as "main" and
 * "([Ljava/lang/String;)V". */
struct class_code {
	const unsigned char *bytes;
	size_t size;
	const unsigned char *rest; /* what follows the code; see line_tables.h */
	size_t rest_size;
};

/* false: there is no such method, or it has no code. */
bool class_file_code(const struct class_file *file, const char *name,
		     const char *signature, struct class_code *code);

/* Check whether the constant is this text. */
bool class_file_is_text(const struct class_file *file, unsigned index, const char *text);
/* Add a constant in the words of javap(1): "Method java/lang/Math.sqrt:(D)D", "class
 * pkg/Cell", "String text"; nothing if there is no such constant. Control characters of
 * strings are escaped as in source text. */
void class_file_add_constant(const struct class_file *file, unsigned index,
			     struct strbuf *text);

#endif
