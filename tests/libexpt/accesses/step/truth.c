/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/accesses/step/truth.h"

#include <err.h>
#include <stddef.h>
#include <string.h>

#include "tests/libexpt/accesses/step/descriptor.h"

/* ---- the tables -------------------------------------------------------------------- */

bool truth_is_name(const char *names, const char *word)
{
	for (const char *at = word;; at++, names++) {
		bool is_end = *names == '\0' || *names == '|';

		if (is_end && *at == '\0')
			return true;
		if (!is_end && *at == *names)
			continue;
		names = strchr(names, '|');
		if (!names)
			return false;
		at = word - 1;
	}
}

/* Returns the type itself, from the string that all uses of it have. */
static const struct truth_member *type_of(const struct truth_tables *tables,
					  const char *type)
{
	for (size_t i = 0; i < tables->member_count; i++) {
		const struct truth_member *member = &tables->members[i];

		if (!*member->name && strcmp(member->owner, type) == 0)
			return member;
	}
	return NULL;
}

const struct truth_member *truth_aggregate(const struct truth_tables *tables,
					   const char *name)
{
	for (size_t i = 0; i < tables->member_count; i++) {
		const struct truth_member *member = &tables->members[i];

		if (!*member->name && truth_is_name(member->owner, name))
			return member;
	}
	return NULL;
}

static void check_objects(const struct truth_tables *tables)
{
	for (size_t i = 0; i < tables->object_count; i++) {
		const struct truth_object *object = &tables->objects[i];
		char kind;

		if (object->size && !type_of(tables, object->type) &&
		    !scalar_size(object->type, &kind))
			errx(2, "unknown type '%s' of an object", object->type);
	}
}

static void check_members(const struct truth_tables *tables)
{
	for (size_t i = 0; i < tables->member_count; i++) {
		const struct truth_member *member = &tables->members[i];

		if (!type_of(tables, member->owner) ||
		    (*member->type && !type_of(tables, member->type)))
			errx(2, "unknown type of member '%s' of '%s'", member->name,
			     member->owner);
		if (!*member->name && member->size == 0)
			errx(2, "type '%s' has no size", member->owner);
	}
}

void truth_read(struct truth_tables *tables, const struct tracee *tracee,
		uint64_t address)
{
	const size_t start = offsetof(struct truth_tables, objects);

	if (!tracee_read(tracee, address, tables, start) ||
	    tables->object_count > TRUTH_OBJECTS ||
	    tables->member_count > TRUTH_MEMBERS ||
	    !tracee_read(tracee, address + start, tables->objects,
			 tables->object_count * sizeof(*tables->objects)) ||
	    !tracee_read(tracee, address + offsetof(struct truth_tables, members),
			 tables->members,
			 tables->member_count * sizeof(*tables->members)))
		errx(2, "cannot read the truth");
	check_objects(tables);
	check_members(tables);
}

const struct truth_object *truth_find(const struct truth_tables *tables, uint64_t address)
{
	const struct truth_object *found = NULL;

	for (size_t i = 0; i < tables->object_count; i++) {
		const struct truth_object *object = &tables->objects[i];

		if (address - object->address < object->size &&
		    (!found || object->size < found->size))
			found = object;
	}
	return found;
}

const struct truth_object *truth_variable(const struct truth_tables *tables,
					  const char *name)
{
	for (size_t i = 0; i < tables->object_count; i++) {
		const struct truth_object *object = &tables->objects[i];

		if (object->size && truth_is_name(object->variable, name))
			return object;
	}
	return NULL;
}

/* ---- chains ------------------------------------------------------------------------ */

struct walk {
	struct truth_chains *chains;
	const struct truth_tables *tables;
	size_t size; /* of the access */
};

/* A place in a step of a chain: rest bytes up to the end of it. */
struct place {
	uint64_t offset, rest;
};

static void descend(const struct walk *walk, const struct truth_chain *chain,
		    struct place place);

static void finish(const struct walk *walk, const struct truth_chain *chain,
		   bool is_aggregate, bool is_open)
{
	struct truth_chain *added = &walk->chains->items[walk->chains->count++];

	if (walk->chains->count > CHAINS_MAX)
		errx(2, "too many members at one place");
	*added = *chain;
	added->is_aggregate = is_aggregate;
	added->is_open = is_open;
}

/* Whether a member is at a place, or, with size, in as many bytes from there. */
static bool is_at(const struct truth_member *member, struct place place, size_t size)
{
	uint64_t end = member->size ? member->offset + member->size
				    : place.offset + place.rest;

	return member->offset < place.offset + size && place.offset < end;
}

static bool is_member(const struct truth_member *member, const char *owner)
{
	return *member->name && strcmp(member->owner, owner) == 0;
}

static void enter(const struct walk *walk, const struct truth_chain *chain,
		  const struct truth_member *member, struct place place)
{
	struct truth_chain longer = *chain;
	uint64_t offset = member->offset < place.offset ? place.offset - member->offset
							: 0;

	if (longer.count == STEPS_MAX)
		errx(2, "'%s' is nested too deeply", member->name);
	longer.steps[longer.count++] = (struct truth_step){
		.name = member->name,
		.type = member->type,
		.size = member->size,
	};
	descend(walk, &longer,
		(struct place){ offset,
				member->size ? member->size - offset : place.rest });
}

/* Enter all members that the access may be meant for, and return whether there are. */
static bool enter_members(const struct walk *walk, const struct truth_chain *chain,
			  const char *owner, struct place place)
{
	const struct truth_tables *tables = walk->tables;
	bool is_found = false, has_bits = false;

	for (size_t i = 0; i < tables->member_count; i++) {
		const struct truth_member *member = &tables->members[i];

		if (is_member(member, owner) && is_at(member, place, 1)) {
			enter(walk, chain, member, place);
			is_found = true;
			has_bits |= member->is_bits != 0;
		}
	}
	/* The unit of a bit-field has others, and may start with none. */
	for (size_t i = 0; i < tables->member_count && (has_bits || !is_found); i++) {
		const struct truth_member *member = &tables->members[i];

		if (is_member(member, owner) && !is_at(member, place, 1) &&
		    is_at(member, place, walk->size) && (!has_bits || member->is_bits)) {
			enter(walk, chain, member, place);
			is_found = has_bits = true;
		}
	}
	return is_found;
}

static bool has_members(const struct truth_tables *tables, const char *owner)
{
	for (size_t i = 0; i < tables->member_count; i++)
		if (is_member(&tables->members[i], owner))
			return true;
	return false;
}

/* Whether the last member reaches to the end of the object, so that it is no array. */
static bool is_flexible(const struct truth_tables *tables, const char *owner)
{
	for (size_t i = 0; i < tables->member_count; i++) {
		const struct truth_member *member = &tables->members[i];

		if (is_member(member, owner) && member->size == 0)
			return true;
	}
	return false;
}

static void descend(const struct walk *walk, const struct truth_chain *chain,
		    struct place place)
{
	const char *type = chain->steps[chain->count - 1].type;
	const struct truth_member *aggregate = *type ? type_of(walk->tables, type) : NULL;

	if (!aggregate) {
		finish(walk, chain, false, false);
	} else if (!has_members(walk->tables, type)) {
		finish(walk, chain, true, true);
	} else {
		if (!is_flexible(walk->tables, type)) {
			place.offset %= aggregate->size;
			place.rest = aggregate->size - place.offset;
		}
		if (!enter_members(walk, chain, type, place))
			finish(walk, chain, true, false);
	}
}

void truth_chains(struct truth_chains *chains, const struct truth_tables *tables,
		  const struct truth_object *object, uint64_t address, size_t size)
{
	const struct walk walk = { chains, tables, size };
	const uint64_t offset = address - object->address;
	const struct truth_chain chain = {
		.steps = { { object->variable, object->type, object->size } },
		.count = 1,
	};

	chains->count = 0;
	descend(&walk, &chain, (struct place){ offset, object->size - offset });
}

/* Returns the length of the first one of names. */
static int first_length(const char *names)
{
	return (int)strcspn(names, "|");
}

void truth_write(struct strbuf *text, const struct truth_chain *chain)
{
	for (size_t i = 0; i < chain->count; i++) {
		const struct truth_step *step = &chain->steps[i];
		bool is_aggregate = i + 1 < chain->count || chain->is_aggregate;
		const char *name = *step->name || is_aggregate ? step->name : "-";

		strbuf_add_text(text, i > 0 ? ".{" : "{");
		if (is_aggregate)
			strbuf_printf(text, "structure:%.*s", first_length(step->type),
				      step->type);
		else
			strbuf_add_text(text, *step->type ? step->type : "scalar");
		if (*name)
			strbuf_printf(text, " %.*s", first_length(name), name);
		strbuf_add_char(text, '}');
	}
}
