/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of memory, compared with arrays that say what is at each address. */
#include "libexpt/dataspace/block_map.h"

#include "tests/libexpt/test.h"

#define ADDRESSES 200
#define MAPS	  8
#define STEPS	  40000

/* The number of the allocation at each address, and where that began; 0: nothing. */
struct model {
	uint64_t sizes[ADDRESSES], starts[ADDRESSES];
};

struct pair {
	block_map map;
	struct model model;
};

static uint32_t state = 1;

static uint32_t below(uint32_t limit)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % limit;
}

static void clear_one(struct model *model, uint64_t i)
{
	model->sizes[i] = model->starts[i] = 0;
}

/* Remove all of the range that has an address. */
static void clear_whole(struct model *model, uint64_t address)
{
	uint64_t start = model->starts[address];

	for (uint64_t i = 0; i < ADDRESSES && model->sizes[address]; i++)
		if (i != address && model->sizes[i] && model->starts[i] == start)
			clear_one(model, i);
	clear_one(model, address);
}

static void cut(struct block_pool *pool, struct pair *pair, uint64_t start, uint64_t end,
		bool trims)
{
	block_map_cut(pool, &pair->map, start, end, trims);
	for (uint64_t i = start; i < end; i++)
		if (trims)
			clear_one(&pair->model, i);
		else
			clear_whole(&pair->model, i);
}

/* The rest above what was cut out is a range of its own. */
static void renumber(struct pair *pair)
{
	for (uint64_t i = 0; i < ADDRESSES; i++)
		if (pair->model.sizes[i] &&
		    (i == 0 || pair->model.sizes[i] != pair->model.sizes[i - 1] ||
		     pair->model.starts[i] < pair->model.starts[i - 1]))
			for (uint64_t j = i; j < ADDRESSES &&
					     pair->model.sizes[j] == pair->model.sizes[i];
			     j++)
				pair->model.starts[j] = i;
}

static void add(struct block_pool *pool, struct pair *pair, uint64_t number)
{
	uint64_t start = below(ADDRESSES), end = start + 1 + below(20);
	struct allocation allocation = { .size = number };

	if (end > ADDRESSES)
		end = ADDRESSES;
	cut(pool, pair, start, end, below(2));
	renumber(pair);
	block_map_add(pool, &pair->map, start, end, &allocation);
	for (uint64_t i = start; i < end; i++) {
		pair->model.sizes[i] = number;
		pair->model.starts[i] = start;
	}
}

static void take(struct block_pool *pool, struct pair *pair)
{
	uint64_t start = below(ADDRESSES);

	block_map_take(pool, &pair->map, start);
	if (pair->model.sizes[start] && pair->model.starts[start] == start)
		clear_whole(&pair->model, start);
}

static void step(struct block_pool *pool, struct pair pairs[MAPS], uint64_t number)
{
	struct pair *pair = &pairs[below(MAPS)], *other = &pairs[below(MAPS)];
	uint32_t kind = below(100);

	if (kind < 60) {
		add(pool, pair, number);
	} else if (kind < 80) {
		take(pool, pair);
	} else if (kind < 97) {
		uint64_t start = below(ADDRESSES);

		cut(pool, pair, start, start + below((uint32_t)(ADDRESSES - start)),
		    below(2));
		renumber(pair);
	} else if (kind < 99 && pair != other) {
		block_map_clear(pool, &other->map);
		other->map = block_map_copy(pool, pair->map);
		other->model = pair->model;
	} else {
		block_map_clear(pool, &pair->map);
		pair->model = (struct model){ 0 };
	}
}

static void assert_same(const struct block_pool *pool, const struct pair *pair)
{
	for (uint64_t i = 0; i < ADDRESSES; i++) {
		const struct allocation *found = block_map_find(pool, pair->map, i);

		assert_int_equal(found ? found->size : 0, pair->model.sizes[i]);
	}
	assert_null(block_map_find(pool, pair->map, ADDRESSES));
	assert_null(block_map_find(pool, pair->map, UINT64_MAX));
}

static void maps_say_what_is_at_each_address(void **unused)
{
	struct block_pool pool = { 0 };
	struct pair pairs[MAPS] = { 0 };

	for (uint64_t i = 1; i <= STEPS; i++) {
		step(&pool, pairs, i);
		for (size_t j = 0; j < MAPS; j++)
			assert_same(&pool, &pairs[j]);
	}
	assert_false(pool.has_failed);
	block_pool_release(&pool);
}

/* Nodes that nothing uses are used again. */
static void memory_is_that_of_what_exists(void **unused)
{
	struct block_pool pool = { 0 };
	block_map map = 0, copy = 0;
	struct allocation allocation = { 0 };

	for (uint64_t i = 0; i < 200000; i++) {
		block_map_add(&pool, &map, i * 32, i * 32 + 16, &allocation);
		if (i >= 100)
			block_map_take(&pool, &map, (i - 100) * 32);
		if (i % 1000 == 0) {
			block_map_clear(&pool, &copy);
			copy = block_map_copy(&pool, map);
		}
	}
	assert_in_range(pool.count, 100, 1000);
	block_map_clear(&pool, &map);
	assert_non_null(block_map_find(&pool, copy, 199000 * 32));
	assert_null(block_map_find(&pool, copy, 199001 * 32));
	block_pool_release(&pool);
}

static void the_last_address_is_no_limit(void **unused)
{
	struct block_pool pool = { 0 };
	struct allocation allocation = { .size = 7 };
	block_map map = 0;

	block_map_add(&pool, &map, UINT64_MAX - 10, UINT64_MAX, &allocation);
	block_map_add(&pool, &map, 0, 10, &allocation);
	assert_non_null(block_map_find(&pool, map, 0));
	assert_non_null(block_map_find(&pool, map, UINT64_MAX - 1));
	block_map_cut(&pool, &map, 0, UINT64_MAX, true);
	assert_int_equal(map, 0);
	block_map_add(&pool, &map, 5, 5, &allocation);
	assert_int_equal(map, 0);
	block_pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_say_what_is_at_each_address),
		cmocka_unit_test(memory_is_that_of_what_exists),
		cmocka_unit_test(the_last_address_is_no_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
