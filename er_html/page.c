/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/page.h"

#include <stddef.h>

/* The bytes of a file, between two names. The paths are those of the build. */
#define FILE_AS(name, path)                                                       \
	__asm__(".section .rodata\n" #name "_start: .incbin \"" path "\"\n" #name \
		"_end:\n.previous\n");                                            \
	extern const char name##_start[] __attribute__((visibility("hidden"))),   \
		name##_end[] __attribute__((visibility("hidden")))

FILE_AS(before_data, PAGE_BEFORE);
FILE_AS(after_data, PAGE_AFTER);

static void put(FILE *out, const char *start, const char *end)
{
	fwrite(start, 1, (size_t)(end - start), out);
}

void page_begin(FILE *out)
{
	put(out, before_data_start, before_data_end);
	fputs(PAGE_DATA, out);
}

void page_end(FILE *out)
{
	put(out, after_data_start, after_data_end);
}
