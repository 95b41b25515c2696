/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is freed. Locks without a function that destroys them, as those of C++,
 * disappear with it, and others appear in their place. */

#include <dlfcn.h>
#include <malloc.h>

#include "collector/deadlock/wrapper.h"

static struct real real_free = { "free", "GLIBC_2.2.5", NULL };
static struct real real_size = { "malloc_usable_size", "GLIBC_2.2.5", NULL };
/* NULL: the size of blocks is unknown */
static size_t (*size_of)(void *);
static __thread bool is_searching;

/* Returns NULL during the search, which frees memory itself. */
static void *find(struct real *real)
{
	void *function = atomic_load_explicit(&real->function, memory_order_relaxed);

	if (__builtin_expect(function != NULL, 1) || is_searching)
		return function;
	is_searching = true;
	function = real_function(real);
	is_searching = false;
	return function;
}

ORDER_WRAPPER(void, free, (void *block))
{
	void (*release)(void *) = find(&real_free);

	if (block && size_of && order_is_used())
		order_forget_block(block, size_of(block));
	if (release)
		release(block);
}

/* An allocator in front of libc's may know no sizes, and libc does not know its blocks.
 */
static bool are_of_one_library(void *function, void *other)
{
	struct dl_find_object found, other_found;

	return function && other && _dl_find_object(function, &found) == 0 &&
	       _dl_find_object(other, &other_found) == 0 &&
	       found.dlfo_link_map == other_found.dlfo_link_map;
}

__attribute__((constructor)) static void find_in_advance(void)
{
	void *release = find(&real_free), *size = find(&real_size);

	if (are_of_one_library(release, size))
		size_of = size;
}
