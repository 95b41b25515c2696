/* SPDX-License-Identifier: Apache-2.0 */
/* Objects whose functions were examined. */
#include "libexpt/accesses/access.h"

#include <stdlib.h>

#include "libexpt/accesses/examined.h"
#include "libexpt/base/array.h"
#include "libexpt/objects/debug.h"
#include "libexpt/objects/function.h"
#include "libexpt/types/open.h"

/* No more functions are examined when these take so many bytes: those of a program that
 * spends its time in four million different instructions. */
#define EXAMINED_MAX ((size_t)512 << 20)

struct examined_object {
	struct expt_object *object;
	struct object_debug *debug; /* NULL: there are none */
	struct statics statics;
	struct examined_source source; /* reader NULL: not this machine */
	struct idmap by_start;	       /* functions: their image offset */
	struct {
		struct examined **items;
		size_t count, capacity;
	} functions;
};

struct accesses {
	struct {
		struct examined_object **items;
		size_t count, capacity;
	} objects;
	struct examined_object *last;
	size_t size; /* of the functions that were examined, in bytes */
};

struct accesses *accesses_open(void)
{
	return calloc(1, sizeof(struct accesses));
}

/* ---- closing ----------------------------------------------------------------------- */

static void free_object(struct examined_object *object)
{
	for (size_t i = 0; i < object->functions.count; i++)
		examined_free(object->functions.items[i]);
	array_release(&object->functions);
	idmap_release(&object->by_start);
	statics_release(&object->statics);
	types_close(object->source.types);
	step_reader_close(object->source.reader);
	object_debug_close(object->debug);
	free(object);
}

void accesses_close(struct accesses *accesses)
{
	if (!accesses)
		return;
	for (size_t i = 0; i < accesses->objects.count; i++)
		free_object(accesses->objects.items[i]);
	array_release(&accesses->objects);
	free(accesses);
}

/* ---- objects ----------------------------------------------------------------------- */

static void open_object(struct examined_object *examined)
{
	struct examined_source *source = &examined->source;
	unsigned machine;

	examined->debug = object_debug_open(examined->object);
	if (!examined->debug)
		return;
	machine = elf_machine(object_debug_elf(examined->debug));
	source->types = types_open(object_debug_dwarf(examined->debug));
	source->statics = &examined->statics;
	if (!source->types || step_reader_open(&source->reader, machine, NULL) < 0)
		source->reader = NULL;
}

static struct examined_object *examined_object(struct accesses *accesses,
					       struct expt_object *object)
{
	struct examined_object *examined = accesses->last, **slot;

	if (examined && examined->object == object)
		return examined;
	for (size_t i = 0; i < accesses->objects.count; i++)
		if (accesses->objects.items[i]->object == object)
			return accesses->last = accesses->objects.items[i];
	examined = calloc(1, sizeof(*examined));
	slot = examined ? array_add(&accesses->objects) : NULL;
	if (!slot) {
		free(examined);
		return NULL;
	}
	*slot = examined;
	examined->object = object;
	open_object(examined);
	return accesses->last = examined;
}

/* ---- functions --------------------------------------------------------------------- */

/* Returns the examined function at an offset; NULL: out of memory, or too many. */
static struct examined *examined_function(struct accesses *accesses,
					  struct examined_object *object, uint64_t offset)
{
	const struct expt_function *row = function_at(object->object, offset);
	uint32_t *slot = idmap_add(&object->by_start, row->start);
	struct examined *examined, **place;
	struct expt_code code;
	bool has_code;

	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return object->functions.items[*slot];
	if (accesses->size > EXAMINED_MAX)
		return NULL;
	has_code = expt_function_code(row, &code, NULL) == 0;
	examined = examined_new(&object->source, row->start, has_code ? &code : NULL);
	place = examined ? array_add(&object->functions) : NULL;
	if (!place) {
		examined_free(examined);
		return NULL;
	}
	*place = examined;
	accesses->size += examined_size(examined);
	*slot = (uint32_t)object->functions.count - 1;
	return examined;
}

/* ---- answers ----------------------------------------------------------------------- */

enum access_reason access_find(struct data_place *out, struct accesses *accesses,
			       struct expt_object *object, uint64_t offset,
			       const struct access_event *event)
{
	struct examined_object *whole;
	enum access_reason reason;
	struct examined *examined;
	uint64_t address;

	whole = object->is_file ? examined_object(accesses, object) : NULL;
	if (!whole || !whole->debug || !whole->source.reader ||
	    !elf_image_address(object_debug_elf(whole->debug), offset, &address))
		return ACCESS_WITHOUT_DEBUG_DATA;
	examined = examined_function(accesses, whole, offset);
	if (!examined)
		return ACCESS_UNIDENTIFIED;
	reason = examined_find(out, examined, address, event);
	out->code = function_at(object, offset);
	return reason;
}
