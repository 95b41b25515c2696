/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/formats/strings.h"

#include <string.h>

#include "libexpt/base/array.h"

static uint32_t add(struct strings *strings, uint32_t *slot, const char *text)
{
	const char *copy = arena_text(&strings->texts, text, strlen(text));
	const char **added = copy ? array_add(&strings->all) : NULL;

	if (!added) {
		strings->is_short = true;
		return 0;
	}
	*added = copy;
	return *slot = (uint32_t)(strings->all.count - 1);
}

uint32_t strings_number(struct strings *strings, const char *text)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, text);

	for (;;) {
		uint32_t *slot = idmap_add(&strings->by_text, key);

		if (!slot) {
			strings->is_short = true;
			return 0;
		}
		if (*slot == IDMAP_NONE)
			return add(strings, slot, text);
		if (strcmp(strings->all.items[*slot], text) == 0)
			return *slot;
		key = idmap_number_key(key, 1); /* another text has it */
	}
}

void strings_release(struct strings *strings)
{
	array_release(&strings->all);
	idmap_release(&strings->by_text);
	arena_release(&strings->texts);
}
