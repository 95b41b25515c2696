/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries of wrappers use this through libcollector.so. */

#include "collector/base/late.h"

#include "collector/base/module.h"

struct place {
	const void *object;
	bool is_late;
};

static int find_place(struct dl_phdr_info *info, size_t size, void *data)
{
	struct place *place = data;
	struct module module;

	if (!module_read(&module, info))
		return 0;
	if (module_holds(&module, place->object, 1))
		return 1;
	place->is_late = module_is_libc(&module);
	return place->is_late;
}

bool late_is(const void *object)
{
	struct place place = { object, false };

	dl_iterate_phdr(find_place, &place);
	return place.is_late;
}

struct search {
	const char *name, *version;
	void *function;
};

static int find_in(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	struct module module;

	if (!module_read(&module, info))
		return 0;
	search->function = module_find(&module, search->name, search->version);
	return search->function || module_is_libc(&module);
}

void *late_find(const char *name, const char *version)
{
	struct search search = { name, version, NULL };

	dl_iterate_phdr(find_in, &search);
	return search.function;
}
