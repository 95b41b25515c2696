/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/residents.h"

#include "libexpt/bundle/package.h"
#include "libexpt/experiment/handle.h"

static void use_symbols(struct residents *residents, struct expt *founder)
{
	for (size_t i = 0; i < residents->count; i++)
		if (residents->items[i] == founder)
			return;
	if (residents->count < RESIDENTS_MAX) {
		residents->items[residents->count++] = founder;
		return;
	}
	expt_release_symbols(residents->items[residents->next]);
	residents->items[residents->next] = founder;
	residents->next = (residents->next + 1) % RESIDENTS_MAX;
}

static void use_package(struct residents *residents, struct package *package)
{
	for (size_t i = 0; i < RESIDENT_PACKAGES_MAX; i++)
		if (residents->packages[i] == package)
			return;
	if (residents->packages[residents->next_package])
		package_rest(residents->packages[residents->next_package]);
	residents->packages[residents->next_package] = package;
	residents->next_package = (residents->next_package + 1) % RESIDENT_PACKAGES_MAX;
}

void residents_use(struct expt_view *view, size_t member)
{
	struct residents *residents = &view->residents;
	struct expt *founder =
		view->members.items[view->members.items[member].founder].expt;

	if (residents->last == founder)
		return;
	residents->last = founder;
	use_symbols(residents, founder);
	if (founder->folder.package)
		use_package(residents, founder->folder.package);
}
