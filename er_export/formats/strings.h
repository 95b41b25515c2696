/* SPDX-License-Identifier: Apache-2.0 */
/* Distinct texts, which a format names by number. */
#ifndef ER_EXPORT_FORMATS_STRINGS_H
#define ER_EXPORT_FORMATS_STRINGS_H

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"

struct strings {
	struct {
		const char **items;
		size_t count, capacity;
	} all;
	struct idmap by_text;
	struct arena texts;
	bool is_short; /* of memory, so that numbers are wrong */
};

/* Returns the number of a text, of which the first is 0. */
uint32_t strings_number(struct strings *strings, const char *text);
void strings_release(struct strings *strings);

#endif
