/* SPDX-License-Identifier: Apache-2.0 */
/* Places where data of an experiment was lost: no duplicates, limited in number. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/handle.h"

#define DAMAGE_KEPT 100

/* Reading a file again finds the same damage, which is listed once. */
static bool is_known_damage(const struct expt *expt, const char *what)
{
	for (size_t i = 0; i < expt->damage.count; i++)
		if (strcmp(expt->damage.items[i], what) == 0)
			return true;
	return false;
}

void expt_add_damage(struct expt *expt, const char *format, ...)
{
	char what[1024];
	const char **place, *text;
	va_list arguments;

	if (expt->damage.count < DAMAGE_KEPT) {
		va_start(arguments, format);
		vsnprintf(what, sizeof(what), format, arguments);
		va_end(arguments);
		if (is_known_damage(expt, what))
			return;
		text = arena_text(&expt->strings, what, strlen(what));
		place = text ? array_add(&expt->damage) : NULL;
		if (place) {
			*place = text;
			return;
		}
	}
	expt->damage.more++;
	snprintf(expt->damage.summary, sizeof(expt->damage.summary),
		 "and %" PRIu64 " more places", expt->damage.more);
}

size_t expt_damage_count(const struct expt *expt)
{
	return expt->damage.count + (expt->damage.more > 0);
}

const char *expt_damage(const struct expt *expt, size_t i)
{
	return i < expt->damage.count ? expt->damage.items[i] : expt->damage.summary;
}
