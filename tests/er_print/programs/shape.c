/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for handwritten experiments. The program is mapped in them; it is hardly ever
 * run. */
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

static volatile unsigned long total;

NOINLINE static void burn(unsigned long count)
{
	while (count--)
		total += count;
}

NOINLINE void leaf_a(void)
{
	burn(1000);
	total++;
}

NOINLINE void leaf_b(void)
{
	burn(2000);
	total++;
}

NOINLINE void leaf_with_a_long_name(void)
{
	burn(500);
	total++;
}

NOINLINE void middle(int depth)
{
	leaf_a();
	if (depth > 0)
		middle(depth - 1);
	leaf_b();
	leaf_with_a_long_name();
}

NOINLINE void top_one(void)
{
	middle(2);
	total++;
}

NOINLINE void top_two(void)
{
	middle(0);
	leaf_b();
	total++;
}

int main(void)
{
	top_one();
	top_two();
	printf("%lu\n", total);
	return 0;
}
