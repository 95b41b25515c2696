/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz class files: code lies in the file, and each instruction is in the code. */
#include <stdlib.h>

#include "libexpt/bytecode/bytecode.h"
#include "libexpt/bytecode/line_tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void read_code(const struct class_file *file, const struct class_code *code)
{
	struct bytecode bytecode = BYTECODE_INIT;
	size_t at = 0;

	while (bytecode_read(&bytecode, file, code, at) > 0) {
		at += bytecode.size;
		if (at > code->size || !bytecode.mnemonic)
			abort();
	}
	if (at != code->size)
		abort();
	bytecode_release(&bytecode);
}

/* Each entry has bytes of its own. */
static void read_lines(const struct class_file *file, const struct class_code *code)
{
	struct line_tables tables;
	uint32_t offset, line;
	size_t count = 0;

	line_tables_begin(&tables, file, code);
	while (line_tables_next(&tables, &offset, &line))
		if (++count > code->rest_size / 4)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const names[][2] = { { "f", "()V" }, { "<init>", "()V" } };
	struct class_code code = { .bytes = bytes, .size = size < 2000 ? size : 2000 };
	struct class_file *file;

	if (class_file_open(&file, bytes, size) < 0)
		return 0;
	read_code(file, &code);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!class_file_code(file, names[i][0], names[i][1], &code))
			continue;
		if (code.bytes < bytes || code.size > (size_t)(bytes + size - code.bytes))
			abort();
		read_code(file, &code);
		read_lines(file, &code);
	}
	class_file_close(file);
	return 0;
}
