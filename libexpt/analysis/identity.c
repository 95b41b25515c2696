/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/analysis/identity.h"

#include "libexpt/base/path.h"

/* ---- the same file ---- */

static uint64_t object_key(const struct expt_object *object)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, expt_object_path(object));

	return idmap_text_key(key, expt_object_build_id(object));
}

static uint64_t function_key(const struct expt_function *function)
{
	uint64_t offset = expt_function_offset(function);
	uint64_t key = object_key(expt_function_object(function));

	key = idmap_key(key, &offset, sizeof(offset));
	return idmap_text_key(key, expt_function_name(function, EXPT_NAME_LONG));
}

/* ---- builds that are compared ---- */

/* The same program, built again, has functions of the same names at other places. */
static uint64_t compared_object_key(const struct expt_object *object)
{
	return idmap_text_key(IDMAP_KEY, path_base(expt_object_path(object)));
}

/* number: of the function among those of this name in its object, as they were met. */
static uint64_t compared_function_key(const struct expt_function *function,
				      uint64_t number)
{
	uint64_t key = compared_object_key(expt_function_object(function));

	key = idmap_key(key, &number, sizeof(number));
	return idmap_text_key(key, expt_function_name(function, EXPT_NAME_LONG));
}

/* Find the number of a function by those that other functions of its object have. Returns
 * the slot of its row; NULL: out of memory. */
static uint32_t *compared_function(struct expt_rows *rows,
				   const struct expt_function *function)
{
	const struct expt_object *object = expt_function_object(function);

	for (uint64_t number = 0;; number++) {
		uint64_t key = compared_function_key(function, number);
		uint64_t claim = idmap_key(key, &object, sizeof(object));
		uint32_t *slot = idmap_add(&rows->claims, claim);

		if (!slot)
			return NULL;
		if (*slot != IDMAP_NONE)
			continue;
		*slot = 0;
		return idmap_add(&rows->by_identity, key);
	}
}

/* ---- either ---- */

uint64_t identity_key_of_object(const struct expt_rows *rows,
				const struct expt_object *object)
{
	return rows->view->groups > 1 ? compared_object_key(object) : object_key(object);
}

uint32_t *identity_of_function(struct expt_rows *rows, const void *function)
{
	if (rows->view->groups > 1)
		return compared_function(rows, function);
	return idmap_add(&rows->by_identity, function_key(function));
}

uint32_t *identity_of_object(struct expt_rows *rows, const void *object)
{
	return idmap_add(&rows->by_identity, identity_key_of_object(rows, object));
}

bool identity_number(uint32_t *number, struct expt_rows *rows,
		     const struct expt_object *object, uint64_t key, uint64_t place)
{
	uint64_t count_key = idmap_number_key(key, object_key(object));
	uint64_t own_key = idmap_number_key(count_key, place);
	uint32_t *own = idmap_add(&rows->claims, own_key), *count;

	if (!own)
		return false;
	*number = *own;
	if (*own != IDMAP_NONE)
		return true;
	count = idmap_add(&rows->claims, count_key);
	if (!count)
		return false;
	*number = *count == IDMAP_NONE ? 0 : *count;
	*count = *number + 1;
	own = idmap_add(&rows->claims, own_key);
	if (own)
		*own = *number;
	return own;
}
