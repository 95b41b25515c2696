/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/rows/line_code.h"

#include <string.h>

static bool is_of(const struct expt_row *row, const struct expt_code_row *code)
{
	return code->path && code->line == row->line &&
	       (code->path == row->path || strcmp(code->path, row->path) == 0);
}

struct line_code line_code_find(const struct expt_row *row)
{
	struct line_code found = { .size = 0 };
	const struct expt_code_row *rows;
	size_t count = row->path ? expt_function_positions(row->function, &rows) : 0;
	uint64_t start = count > 0 ? expt_function_offset(row->function) : 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t end = i + 1 < count ? rows[i + 1].offset
					     : start + expt_function_size(row->function);

		if (!is_of(row, &rows[i]) || end <= rows[i].offset)
			continue;
		if (found.size == 0)
			found.offset = rows[i].offset - start;
		found.size += end - rows[i].offset;
	}
	return found;
}
