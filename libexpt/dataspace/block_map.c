/* SPDX-License-Identifier: Apache-2.0 */
/* Treaps: trees by address that are heaps by priority. As priorities cannot be foreseen,
 * no sequence of addresses makes a tree deep. */
#include "libexpt/dataspace/block_map.h"

#include "libexpt/base/array.h"
#include "libexpt/base/random.h"

struct block_node {
	uint64_t start, end;
	uint32_t left, right;
	uint32_t users; /* nodes and maps that refer to it */
	uint32_t priority;
};

/* ---- nodes ------------------------------------------------------------------------- */

/* xorshift; a seed is random for each pool. */
static uint32_t next_priority(struct block_pool *pool)
{
	while (pool->random == 0)
		pool->random = random_seed();
	pool->random ^= pool->random << 13;
	pool->random ^= pool->random >> 7;
	pool->random ^= pool->random << 17;
	return (uint32_t)(pool->random >> 32);
}

static bool add_node(struct block_pool *pool)
{
	return array_add(pool) && array_add(&pool->allocations);
}

/* Returns an unused node; 0: out of memory. */
static uint32_t new_node(struct block_pool *pool)
{
	uint32_t number = pool->unused;

	if (number != 0) {
		pool->unused = pool->items[number].right;
		return number;
	}
	/* The first one stands for none. */
	if (pool->count < UINT32_MAX && (pool->count > 0 || add_node(pool)) &&
	    add_node(pool))
		return (uint32_t)pool->count - 1;
	pool->has_failed = true;
	return 0;
}

static uint32_t make_node(struct block_pool *pool, uint64_t start, uint64_t end,
			  const struct allocation *allocation)
{
	uint32_t number = new_node(pool);

	if (number == 0)
		return 0;
	pool->items[number] = (struct block_node){
		.start = start,
		.end = end,
		.users = 1,
		.priority = next_priority(pool),
	};
	pool->allocations.items[number] = *allocation;
	return number;
}

static uint32_t use(struct block_pool *pool, uint32_t number)
{
	if (number != 0)
		pool->items[number].users++;
	return number;
}

static void drop(struct block_pool *pool, uint32_t number)
{
	struct block_node *node;

	if (number == 0 || --pool->items[number].users > 0)
		return;
	node = &pool->items[number];
	drop(pool, node->left);
	drop(pool, node->right);
	node->right = pool->unused;
	pool->unused = number;
}

/* Returns the node, or a copy if others use it, for one user who changes it. */
static uint32_t own(struct block_pool *pool, uint32_t number)
{
	uint32_t copy;

	if (pool->items[number].users == 1)
		return number;
	copy = new_node(pool);
	if (copy == 0)
		return 0;
	pool->items[copy] = pool->items[number];
	pool->allocations.items[copy] = pool->allocations.items[number];
	pool->items[copy].users = 1;
	use(pool, pool->items[copy].left);
	use(pool, pool->items[copy].right);
	pool->items[number].users--;
	return copy;
}

/* ---- trees ------------------------------------------------------------------------- */

/* Divide a tree into what starts below an address, and the rest. */
static void split(struct block_pool *pool, uint32_t tree, uint64_t start, uint32_t *low,
		  uint32_t *high)
{
	uint32_t part;

	*low = *high = 0;
	if (tree != 0)
		tree = own(pool, tree);
	if (tree == 0)
		return;
	if (pool->items[tree].start < start) {
		split(pool, pool->items[tree].right, start, &part, high);
		pool->items[tree].right = part;
		*low = tree;
	} else {
		split(pool, pool->items[tree].left, start, low, &part);
		pool->items[tree].left = part;
		*high = tree;
	}
}

/* Returns the union of two trees; all of the first is below the second. */
static uint32_t merge(struct block_pool *pool, uint32_t low, uint32_t high)
{
	uint32_t part;

	if (low == 0 || high == 0)
		return low + high;
	if (pool->items[low].priority > pool->items[high].priority) {
		low = own(pool, low);
		if (low == 0)
			return 0;
		part = merge(pool, pool->items[low].right, high);
		pool->items[low].right = part;
		return low;
	}
	high = own(pool, high);
	if (high == 0)
		return 0;
	part = merge(pool, low, pool->items[high].left);
	pool->items[high].left = part;
	return high;
}

/* Returns the tree with a node that is not in it: only what is below the node's priority
 * is divided. */
static uint32_t insert(struct block_pool *pool, uint32_t tree, uint32_t node)
{
	uint64_t start = pool->items[node].start;
	uint32_t low, high;

	if (tree == 0 || pool->items[tree].priority < pool->items[node].priority) {
		split(pool, tree, start, &low, &high);
		pool->items[node].left = low;
		pool->items[node].right = high;
		return node;
	}
	tree = own(pool, tree);
	if (tree == 0)
		return 0;
	if (start < pool->items[tree].start) {
		low = insert(pool, pool->items[tree].left, node);
		pool->items[tree].left = low;
	} else {
		high = insert(pool, pool->items[tree].right, node);
		pool->items[tree].right = high;
	}
	return tree;
}

/* Returns the tree without the node that starts at an address. */
static uint32_t without(struct block_pool *pool, uint32_t tree, uint64_t start)
{
	uint32_t part;

	if (tree != 0)
		tree = own(pool, tree);
	if (tree == 0)
		return 0;
	if (start == pool->items[tree].start) {
		part = merge(pool, pool->items[tree].left, pool->items[tree].right);
		pool->items[tree].left = pool->items[tree].right = 0;
		drop(pool, tree);
		return part;
	}
	if (start < pool->items[tree].start) {
		part = without(pool, pool->items[tree].left, start);
		pool->items[tree].left = part;
	} else {
		part = without(pool, pool->items[tree].right, start);
		pool->items[tree].right = part;
	}
	return tree;
}

/* Returns the node with the highest address that is not above another one; 0: none. */
static uint32_t last_up_to(const struct block_pool *pool, uint32_t tree, uint64_t address)
{
	uint32_t found = 0;

	while (tree != 0)
		if (pool->items[tree].start <= address) {
			found = tree;
			tree = pool->items[tree].right;
		} else {
			tree = pool->items[tree].left;
		}
	return found;
}

/* ---- maps -------------------------------------------------------------------------- */

void block_map_add(struct block_pool *pool, block_map *map, uint64_t start, uint64_t end,
		   const struct allocation *allocation)
{
	uint32_t node = start < end ? make_node(pool, start, end, allocation) : 0;

	if (node != 0)
		*map = insert(pool, *map, node);
}

static void cut_range(struct block_pool *pool, block_map *map, uint64_t start,
		      uint64_t end)
{
	uint32_t low, middle, high;

	split(pool, *map, start, &low, &high);
	split(pool, high, end, &middle, &high);
	drop(pool, middle);
	*map = merge(pool, low, high);
}

/* Ranges do not overlap: only the last one that starts below an address can reach beyond
 * it. */
void block_map_cut(struct block_pool *pool, block_map *map, uint64_t start, uint64_t end,
		   bool trims)
{
	struct block_node first = { 0 }, last;
	struct allocation of_first = { 0 }, of_last;
	uint32_t found;

	found = start < end ? last_up_to(pool, *map, end - 1) : 0;
	if (found == 0 || pool->items[found].end <= start)
		return;
	last = pool->items[found];
	of_last = pool->allocations.items[found];
	found = start > 0 ? last_up_to(pool, *map, start - 1) : 0;
	if (found != 0) {
		first = pool->items[found];
		of_first = pool->allocations.items[found];
	}
	if (first.end > start)
		cut_range(pool, map, first.start, end);
	else
		cut_range(pool, map, start, end);
	if (trims && first.end > start)
		block_map_add(pool, map, first.start, start, &of_first);
	if (trims && last.end > end)
		block_map_add(pool, map, end, last.end, &of_last);
}

void block_map_take(struct block_pool *pool, block_map *map, uint64_t start)
{
	*map = without(pool, *map, start);
}

const struct allocation *block_map_find(const struct block_pool *pool, block_map map,
					uint64_t address)
{
	uint32_t found = last_up_to(pool, map, address);

	return found != 0 && address < pool->items[found].end
		       ? &pool->allocations.items[found]
		       : NULL;
}

block_map block_map_copy(struct block_pool *pool, block_map map)
{
	return use(pool, map);
}

void block_map_clear(struct block_pool *pool, block_map *map)
{
	drop(pool, *map);
	*map = 0;
}

void block_pool_release(struct block_pool *pool)
{
	array_release(&pool->allocations);
	array_release(pool);
}
