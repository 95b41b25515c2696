/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is freed. Locks without a function that destroys them, as those of C++,
 * disappear with it, and others appear in their place. */

#include <malloc.h>

#include "collector/deadlock/wrapper.h"

static struct real real_free = { "free", "GLIBC_2.2.5", NULL };
static struct real real_size = { "malloc_usable_size", "GLIBC_2.2.5", NULL };
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
	size_t (*size_of)(void *) = order_is_used() && block ? find(&real_size) : NULL;

	if (size_of)
		order_forget_block(block, size_of(block));
	if (release)
		release(block);
}

__attribute__((constructor)) static void find_in_advance(void)
{
	find(&real_free);
	find(&real_size);
}
