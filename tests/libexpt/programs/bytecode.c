/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytecode of methods. Usage: bytecode FILE.class, with lines "name signature" on the
 * standard input.
 */
#include <stdio.h>
#include <stdlib.h>

#include "libexpt/bytecode/bytecode.h"

#define SIZE_MAX_READ (1 << 24)

static void show(const struct class_file *file, const char *name, const char *signature)
{
	struct bytecode bytecode = BYTECODE_INIT;
	struct class_code code;

	printf("== %s %s\n", name, signature);
	if (!class_file_code(file, name, signature, &code))
		return;
	for (size_t at = 0; bytecode_read(&bytecode, file, &code, at) > 0;
	     at += bytecode.size)
		printf("%zu: %s %s\n", at, bytecode.mnemonic,
		       strbuf_text(&bytecode.operands));
	bytecode_release(&bytecode);
}

int main(int count, char **words)
{
	static char name[4096], signature[65536];
	unsigned char *bytes = malloc(SIZE_MAX_READ);
	FILE *input = count == 2 ? fopen(words[1], "rb") : NULL;
	struct class_file *file;
	size_t size;

	if (!bytes || !input)
		return 2;
	size = fread(bytes, 1, SIZE_MAX_READ, input);
	fclose(input);
	if (class_file_open(&file, bytes, size) < 0)
		return 1;
	while (scanf("%4095s %65535s", name, signature) == 2)
		show(file, name, signature);
	class_file_close(file);
	free(bytes);
	return 0;
}
