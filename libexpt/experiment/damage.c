/* SPDX-License-Identifier: Apache-2.0 */
/* Places where data of an experiment was lost: no duplicates, limited in number. */
#include "libexpt/experiment/damage.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/experiment/handle.h"

#define DAMAGE_KEPT 100

/* Reading a file again finds the same damage, which is listed once. */
static bool is_known_damage(const struct damage *damage, const char *what)
{
	for (size_t i = 0; i < damage->count; i++)
		if (strcmp(damage->items[i], what) == 0)
			return true;
	return false;
}

static void count_more(struct damage *damage, uint64_t count)
{
	damage->more += count;
	snprintf(damage->summary, sizeof(damage->summary), "and %" PRIu64 " more places",
		 damage->more);
}

static void add(struct damage *damage, struct arena *strings, const char *format,
		va_list arguments)
{
	char what[1024];
	const char **place, *text;

	if (damage->count < DAMAGE_KEPT) {
		vsnprintf(what, sizeof(what), format, arguments);
		if (is_known_damage(damage, what))
			return;
		text = arena_text(strings, what, strlen(what));
		place = text ? array_add(damage) : NULL;
		if (place) {
			*place = text;
			return;
		}
	}
	count_more(damage, 1);
}

void damage_add(struct damage *damage, struct arena *strings, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(damage, strings, format, arguments);
	va_end(arguments);
}

void expt_add_damage(struct expt *expt, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add(&expt->damage, &expt->strings, format, arguments);
	va_end(arguments);
}

void expt_add_damage_of(struct expt *expt, const struct damage *damage)
{
	for (size_t i = 0; i < damage->count; i++)
		expt_add_damage(expt, "%s", damage->items[i]);
	if (damage->more > 0)
		count_more(&expt->damage, damage->more);
}

size_t damage_count(const struct damage *damage)
{
	return damage->count + (damage->more > 0);
}

const char *damage_text(const struct damage *damage, size_t i)
{
	return i < damage->count ? damage->items[i] : damage->summary;
}

size_t expt_damage_count(const struct expt *expt)
{
	return damage_count(&expt->damage);
}

const char *expt_damage(const struct expt *expt, size_t i)
{
	return damage_text(&expt->damage, i);
}
