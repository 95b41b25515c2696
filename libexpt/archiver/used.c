/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the load objects in which recorded addresses lie, and where in them, and the
 * methods of recorded Java stacks. All data files of all members are read once. A stack
 * is examined only once in each epoch of its experiment, because most events share theirs
 * with others.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "libexpt/archiver/private.h"
#include "libexpt/base/array.h"
#include "libexpt/base/number.h"
#include "libexpt/common/error.h"
#include "libexpt/places/place.h"

struct used {
	struct archiver *archiver;
	struct expt *expt;	/* the member being read */
	struct idmap stacks;	/* seen, with their epoch */
	struct idmap addresses; /* noted, with their object */
};

/* ---- addresses ---- */

/* Returns 1 if key was not in the map yet, or 0. */
static int add_key(struct idmap *map, uint64_t key)
{
	uint32_t *slot = idmap_add(map, key);

	if (!slot)
		return -ENOMEM;
	if (*slot != IDMAP_NONE)
		return 0;
	*slot = 0;
	return 1;
}

static int note_address(struct used *used, uint64_t address, uint64_t time_ns)
{
	struct archive_object *object;
	uint64_t *noted;
	struct expt_object *mapped;
	uint64_t offset, key;
	int rc;

	mapped = place_object(used->expt, address, time_ns, &offset);
	if (!mapped)
		return 0;
	key = idmap_key(IDMAP_KEY, &mapped, sizeof(mapped));
	rc = add_key(&used->addresses, idmap_key(key, &offset, sizeof(offset)));
	if (rc <= 0)
		return rc;
	object = archive_find_object(used->archiver, mapped->path, &mapped->identity);
	if (!object)
		return 0;
	noted = array_add(&object->used);
	if (!noted)
		return -ENOMEM;
	*noted = offset;
	return 0;
}

/* ---- Java methods ---- */

static int note_methods(struct used *used, uint64_t uid, struct expt_error *err)
{
	struct expt_java_stack stack;
	int rc = expt_java_stack(used->expt, uid, &stack, err);

	for (size_t i = 0; rc > 0 && i < stack.count; i++)
		if (stack.frames[i].method &&
		    add_key(&used->archiver->known.methods,
			    archive_method_key(used->expt, stack.frames[i].method)) < 0)
			return expt_fail(err, -ENOMEM, "cannot collect the methods");
	return rc < 0 ? rc : 0;
}

/* ---- records ---- */

/* Callers have the address of their call. */
static int note_stack(struct used *used, const struct expt_record *record,
		      struct expt_error *err)
{
	uint32_t epoch = expt_epoch(used->expt, record->time_ns);
	uint64_t key = idmap_key(IDMAP_KEY, &record->stack, sizeof(record->stack));
	struct expt_stack stack;
	int rc = add_key(&used->stacks, idmap_key(key, &epoch, sizeof(epoch)));

	if (rc < 0)
		return expt_fail(err, rc, "cannot collect the call stacks");
	if (rc == 0)
		return 0;
	rc = expt_stack(used->expt, record->stack, &stack, err);
	for (size_t i = 0; rc > 0 && i < stack.count; i++)
		if (note_address(used, stack.pcs[i], record->time_ns) < 0)
			return expt_fail(err, -ENOMEM, "cannot collect the addresses");
	return rc < 0 ? rc : note_methods(used, record->stack, err);
}

/* Note the code addresses that records have in addition to their stacks. */
static int note_fields(struct used *used, const struct expt_record *record,
		       struct expt_error *err)
{
	static const enum expt_field fields[] = { EXPT_VIRTPC, EXPT_LEAFPC, EXPT_PRPC };

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		int64_t address;

		if (expt_record_value(record, fields[i], &address) &&
		    note_address(used, (uint64_t)address, record->time_ns) < 0)
			return expt_fail(err, -ENOMEM, "cannot collect the addresses");
	}
	return 0;
}

static int read_records(struct used *used, enum expt_data data, struct expt_error *err)
{
	struct expt_records *records;
	struct expt_record record;
	int rc = expt_records_open(&records, used->expt, data, err);

	if (rc < 0)
		return rc;
	while ((rc = expt_records_next(records, &record, err)) > 0) {
		rc = note_fields(used, &record, err);
		if (rc == 0 && record.stack)
			rc = note_stack(used, &record, err);
		if (rc < 0)
			break;
	}
	expt_records_close(records);
	return rc;
}

/* ---- members ---- */

static void member_name(char name[PATH_MAX], const struct used *used)
{
	const char *lineage = expt_lineage(used->expt);

	snprintf(name, PATH_MAX, "%s%s%s", used->archiver->known.path,
		 *lineage ? "/" : "", lineage);
}

/* A part that cannot be read may be the one that uses an object: report it, and read the
 * rest. */
static int read_member(struct used *used, struct expt *expt, struct expt_error *err)
{
	char name[PATH_MAX];
	struct expt_error why;
	int rc = 0;

	used->expt = expt;
	idmap_release(&used->stacks);
	member_name(name, used);
	for (int data = 0; data < EXPT_DATA_COUNT && rc != -ENOMEM; data++) {
		if (!expt_has_data(expt, (enum expt_data)data))
			continue;
		rc = read_records(used, (enum expt_data)data, &why);
		if (rc < 0 && rc != -ENOMEM)
			archive_say(used->archiver, EXPT_FAILED, name,
				    "cannot tell which load objects it uses: %s",
				    why.message);
	}
	if (rc == -ENOMEM)
		return expt_fail(err, rc, "cannot read '%s'", name);
	if (expt_damage_count(expt) > 0)
		archive_say(used->archiver, EXPT_NOTE, name,
			    "some load objects it uses may be missed: %s",
			    expt_damage(expt, 0));
	return 0;
}

static int read_descendants(struct used *used, struct expt *founder,
			    struct expt_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < expt_descendant_count(founder); i++) {
		struct expt_error why;
		struct expt *expt;

		rc = expt_descendant_open(&expt, founder, i, &why);
		if (rc == 0) {
			rc = read_member(used, expt, err);
			expt_close(expt);
		} else if (rc == -ENOMEM) {
			expt_fail(err, rc, "cannot read '%s'",
				  expt_descendant_name(founder, i));
		} else {
			if (rc != -ENOENT) /* an exec that failed */
				archive_say(used->archiver, EXPT_FAILED,
					    expt_descendant_name(founder, i),
					    "cannot tell which load objects it uses: %s",
					    why.message);
			rc = 0;
		}
	}
	return rc;
}

static void sort_addresses(struct archiver *archiver)
{
	for (size_t i = 0; i < archiver->known.objects.count; i++) {
		struct archive_object *object = &archiver->known.objects.items[i];

		if (object->used.count > 0)
			qsort(object->used.items, object->used.count,
			      sizeof(*object->used.items), number_compare);
	}
}

int archive_find_used(struct archiver *archiver, struct expt_error *err)
{
	const char *member = archiver->known.members.items->name;
	struct used used = { .archiver = archiver };
	struct expt *expt;
	int rc = archive_open_member(&expt, archiver, 0, err);

	if (rc < 0)
		return rc;
	rc = read_member(&used, expt, err);
	if (rc == 0 && !*member && !archiver->asked.options->is_founder_only)
		rc = read_descendants(&used, expt, err);
	expt_close(expt);
	idmap_release(&used.stacks);
	idmap_release(&used.addresses);
	sort_addresses(archiver);
	return rc;
}
