/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays beside each other, with indexes that begin elsewhere than at 0: compilers add
 * what is constant in an index to the address, which is that of another array then.
 * Unions of pointers, and pointers to one object or another.
 */
#include "truth.h"

#include <stdlib.h>

struct link {
	long number;
	struct link *next;
};

struct block {
	long numbers[3];
	struct block *other;
	long total;
};

static int before[4], after[64], third[16];
static char lower[26], upper[26], digits[10];
static struct link links[4];
static struct block blocks[6];
static struct link *link_pointers[4];
static struct block *block_pointers[8];
static volatile long g_result;
static volatile int g_zero;

__attribute__((noinline)) static long at_constants(int i, int c)
{
	return after[i - 4] + third[i - 4] + upper[c - 'A'] + lower[c - 'A'] +
	       digits[c - 60];
}

__attribute__((noinline)) static long in_loops(int from, int to)
{
	long sum = 0;

	for (int i = from; i < to; i++)
		sum += after[i - 4] + blocks[i - 4].total + links[i - 4].number;
	for (int i = 0; i < 4; i++) {
		sum += block_pointers[i + from - 4]->total;
		sum += block_pointers[i]->numbers[1] + link_pointers[i]->number;
	}
	for (int i = 3; i >= 0; i--) {
		sum += block_pointers[i]->total;
		link_pointers[i]->number += sum;
	}
	for (struct block **at = block_pointers; at < block_pointers + 6; at += 2)
		sum += (*at)->total;
	return sum;
}

__attribute__((noinline)) static long by_union(int which)
{
	union {
		struct link *link;
		struct block *block;
	} either;

	either.link = &links[1];
	if (which & 1)
		either.block = &blocks[2];
	__asm__ volatile("" : "+m"(either));
	return which & 1 ? either.block->total + either.block->numbers[0]
			 : either.link->number;
}

__attribute__((noinline)) static long by_either(int which)
{
	long *number = which & 1 ? &links[which & 3].number
				 : &blocks[which & 3].numbers[1];
	int *values = which & 2 ? before : after;
	long sum = *number;

	for (int i = 0; i < 4; i++) {
		sum += values[i];
		values[i] = i;
	}
	return sum;
}

__attribute__((noinline)) static long on_heap(int which)
{
	struct link *some = calloc(2, sizeof(*some));
	struct block *others = calloc(3, sizeof(*others));
	void *any = which ? (void *)some : (void *)others;
	long sum;

	truth_block(some, 2 * sizeof(*some), "link");
	truth_block(others, 3 * sizeof(*others), "block");
	sum = which ? ((struct link *)any)->number : ((struct block *)any)->total;
	for (struct block *at = others + 2; at >= others; at--) {
		at->total = sum;
		sum += at->numbers[2];
	}
	some->next = some + 1;
	others->other = &others[1];
	for (const struct link *at = some; at; at = at->next)
		sum += at->number;
	for (const struct block *at = others; at; at = at->other)
		sum += at->total;
	truth_forget(some);
	truth_forget(others);
	free(some);
	free(others);
	return sum;
}

#define TELL(variable, type) truth_object(&(variable), sizeof(variable), #variable, type)

static void declare(void)
{
	truth_type("link", sizeof(struct link));
	TRUTH_MEMBER("link", struct link, number);
	TRUTH_MEMBER("link", struct link, next);
	truth_type("block", sizeof(struct block));
	TRUTH_MEMBER("block", struct block, numbers);
	TRUTH_MEMBER("block", struct block, other);
	TRUTH_MEMBER("block", struct block, total);
	TELL(before, "int");
	TELL(after, "int");
	TELL(third, "int");
	TELL(lower, "char");
	TELL(upper, "char");
	TELL(digits, "char");
	TELL(links, "link");
	TELL(blocks, "block");
	TELL(link_pointers, "pointer");
	TELL(block_pointers, "pointer");
}

int main(void)
{
	declare();
	for (int i = 0; i < 8; i++)
		block_pointers[i] = &blocks[i % 6];
	for (int i = 0; i < 4; i++)
		link_pointers[i] = &links[i];
	truth_begin();
	for (int i = 0; i < 4; i++)
		g_result += by_union(i) + by_either(i) + on_heap(i & 1);
	g_result += at_constants(4 + g_zero, 'C') + in_loops(4 + g_zero, 8);
	truth_end();
	return 0;
}
