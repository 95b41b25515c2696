/* SPDX-License-Identifier: Apache-2.0 */
/* For unit tests of tables and their output. */
#ifndef TESTS_ER_PRINT_PRINTED_H
#define TESTS_ER_PRINT_PRINTED_H

#include "er_print/table/table.h"
#include "tests/libexpt/test.h"

/* Returns what is printed in the form. */
static inline char *printed(struct table *table, enum output_form form, char delimiter,
			    void (*print_to)(struct table *table, struct output *output))
{
	static char *text;
	static size_t size;
	struct output output;
	FILE *file = open_memstream(&text, &size);

	assert_true(output_open(&output, file, form, delimiter));
	print_to(table, &output);
	assert_true(output_close(&output));
	fclose(file);
	return text;
}

#endif
