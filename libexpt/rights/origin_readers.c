/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing the readers of origins, and limiting modes to them. */
#include "libexpt/rights/origin.h"

void origin_narrow(struct origin *origin, gid_t group, bool group_may, bool everyone_may)
{
	if (everyone_may)
		return;
	if (group_may &&
	    (origin->readers == ORIGIN_EVERYONE ||
	     (origin->readers == ORIGIN_ONE_GROUP && origin->group == group))) {
		origin->readers = ORIGIN_ONE_GROUP;
		origin->group = group;
	} else {
		origin->readers = ORIGIN_OWNER;
	}
}

void origin_join(struct origin *origin, const struct origin *other)
{
	origin_narrow(origin, other->group, other->readers == ORIGIN_ONE_GROUP,
		      other->readers == ORIGIN_EVERYONE);
}

bool origin_has_readers(const struct origin *origin, const struct origin *other)
{
	struct origin joined = *other;

	origin_join(&joined, origin);
	return joined.readers == other->readers;
}

/* ---- copies ---- */

/* If the copy has another group, its members get the rights of everyone. */
mode_t origin_copy_mode(const struct origin *origin, gid_t group)
{
	bool is_same = origin->file_group == group;
	mode_t owner = origin->mode & S_IRWXU;
	mode_t members = is_same ? origin->mode & S_IRWXG : origin->everyone << 3;

	switch (origin->readers) {
	case ORIGIN_EVERYONE:
		return owner | members | origin->everyone;
	case ORIGIN_ONE_GROUP:
		return group == origin->group ? owner | members : owner;
	default:
		return owner;
	}
}

mode_t origin_limit(const struct origin *origin, gid_t group, mode_t mode)
{
	if (origin->readers == ORIGIN_EVERYONE)
		return mode;
	if (origin->readers == ORIGIN_ONE_GROUP && origin->group == group)
		return mode & ~(mode_t)S_IRWXO;
	return mode & ~(mode_t)(S_IRWXG | S_IRWXO);
}

bool origin_is_readable(const struct origin *origin, const struct rights *rights)
{
	return origin->readers == ORIGIN_EVERYONE || origin->owner == rights->user ||
	       (origin->readers == ORIGIN_ONE_GROUP &&
		rights_include_group(rights, origin->group));
}
