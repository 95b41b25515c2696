/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/kinds/data_names.h"

#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/kinds/data_access.h"

static uint32_t number_of(struct data_names *names, const char *name)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, name);
	const char **new;
	uint32_t *slot;

	for (;; key++) {
		slot = idmap_add(&names->by_name, key);
		if (!slot)
			return IDMAP_NONE;
		if (*slot == IDMAP_NONE)
			break;
		if (strcmp(names->names.items[*slot], name) == 0)
			return *slot;
	}
	new = array_add(&names->names);
	if (!new)
		return IDMAP_NONE;
	*new = arena_text(&names->arena, name, strlen(name));
	if (!*new) {
		names->names.count--;
		return IDMAP_NONE;
	}
	return *slot = (uint32_t)names->names.count - 1;
}

uint32_t data_names_find(struct data_names *names, struct expt_view *view, size_t member,
			 const struct expt_record *record)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	struct data_access access;

	if (!data_access_find(&access, view, member, record))
		return IDMAP_NONE;
	if (!access.is_found)
		return number_of(names, reason_names[access.reason].name);
	data_place_write(&text, &access.place);
	return text.failed ? IDMAP_NONE : number_of(names, strbuf_text(&text));
}

void data_names_release(struct data_names *names)
{
	idmap_release(&names->by_name);
	array_release(&names->names);
	arena_release(&names->arena);
}
