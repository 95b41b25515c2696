/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/analysis/residents.h"

void residents_use(struct expt_view *view, size_t member)
{
	struct residents *residents = &view->residents;
	struct expt *founder =
		view->members.items[view->members.items[member].founder].expt;

	if (residents->last == founder)
		return;
	residents->last = founder;
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
