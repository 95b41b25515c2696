/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/accesses/step/liar.h"

#include <string.h>

static bool is_last(const struct truth_chains *chains, const char *name)
{
	for (size_t i = 0; i < chains->count; i++) {
		const struct truth_chain *chain = &chains->items[i];

		for (size_t j = 0; j < chain->count; j++)
			if (strcmp(chain->steps[j].name, name) == 0)
				return true;
	}
	return false;
}

/* Returns another member of the type that the last step is a member of, or NULL. */
static const char *sibling(const struct truth_tables *tables,
			   const struct truth_chains *chains)
{
	const struct truth_chain *chain = &chains->items[0];

	for (size_t i = 0; i < tables->member_count && chain->count > 1; i++) {
		const struct truth_member *member = &tables->members[i];

		if (strcmp(member->owner, chain->steps[chain->count - 2].type) == 0 &&
		    *member->name && strcmp(member->name, "-") != 0 &&
		    !is_last(chains, member->name))
			return member->name;
	}
	return NULL;
}

/* The object and a member beside the true one, or another variable, or another type. */
static enum verdict lie(struct strbuf *text, const struct truth_tables *tables,
			const struct truth_chains *chains)
{
	struct truth_chain chain = chains->items[0];
	const char *other = sibling(tables, chains);
	struct truth_step *last = &chain.steps[chain.count - 1];
	bool is_open = false;

	for (size_t i = 0; i < chains->count; i++)
		is_open |= chains->items[i].is_open;
	if (is_open) {
		strbuf_add_text(text, "{structure:lie}.{int lie}");
		return VERDICT_OPEN;
	}
	if (other && !chain.is_aggregate) {
		last->name = other;
		truth_write(text, &chain);
	} else if (!chain.is_aggregate && *last->name) {
		last->name = "lie";
		truth_write(text, &chain);
	} else {
		strbuf_add_text(text, "{structure:lie}");
	}
	return VERDICT_WRONG;
}

enum verdict liar_answer(enum access_reason *reason, struct strbuf *text,
			 const struct truth_tables *tables,
			 const struct truth_chains *chains, uint64_t pc)
{
	struct truth_chain chain = chains->items[0];

	*reason = ACCESS_FOUND;
	switch (pc * UINT64_C(0x9e3779b97f4a7c15) >> 62) {
	case 0:
		truth_write(text, &chain);
		return chain.is_aggregate ? VERDICT_TYPE : VERDICT_RIGHT;
	case 1: /* the aggregate around it */
		if (chain.count == 1)
			break;
		chain.count--;
		chain.is_aggregate = true;
		truth_write(text, &chain);
		return VERDICT_TYPE;
	case 2:
		break;
	default:
		return lie(text, tables, chains);
	}
	*reason = ACCESS_UNSPECIFIED;
	return VERDICT_UNKNOWN;
}
